import { assertNever } from '#domain/base/assert-never.ts'
import { formatSshAddress } from '#domain/ssh/ssh-address.ts'
import type { HopPlace, SshAddress, SshProblem } from '#domain/ssh/ssh.ts'
import { asSentence, withReason } from '../format.ts'
import { authenticationText, loginEndedText, type RetryWords } from './login-problem-text.ts'
import type { ProblemText } from './problem-text.ts'

/**
 * Tells in words why there is no connection to a machine.
 *
 * @param address where it was tried; `null` when there was none
 * @param retry the terminals name their button
 */
export function sshProblemText(
  problem: SshProblem,
  address: SshAddress | null = null,
  retry: RetryWords = 'try again',
): ProblemText {
  const place = address === null ? 'The machine' : `${address.host}:${address.port}`
  switch (problem.kind) {
    case 'no-address':
      return {
        title: 'The instance has no SSH address yet',
        meaning: `Its state is “${problem.status ?? 'being provisioned'}”. Until it runs there is nothing to connect to.`,
        nextStep: 'Wait until the instance is running, then connect again.',
      }
    case 'refused':
      return {
        title: 'The machine refused the connection',
        meaning: `Nothing listens at ${place}. The SSH server may still be starting. The instance is charged meanwhile.`,
        nextStep:
          'Try again in a moment. If it stays, the image may have no SSH server: destroy it and choose another.',
      }
    case 'timeout':
      return {
        title: 'The machine did not answer in time',
        meaning: `${place} is silent. A firewall, a full network or a hung machine can be the cause.`,
        nextStep: 'Try again, and check the instance’s state and your network.',
      }
    case 'unanswered':
      return unansweredText(problem.step, place)
    case 'busy':
      return {
        title: 'The SSH server is busy',
        meaning: `${withReason(`${place} refused the connection for now`, problem.detail)} Too many logins at once, or failed logins from your network, can cause this. No key or password was sent. You’re still charged for the instance.`,
        nextStep: 'Wait a minute, then try again.',
      }
    case 'unreachable':
      return {
        title: 'The machine cannot be reached',
        meaning: withReason(`No way leads to ${place}`, problem.detail),
        nextStep: 'Check your network, then try again.',
      }
    case 'not-ssh':
      return {
        title: 'What answers there is not an SSH server',
        meaning: `${withReason(place, problem.detail)} No key or password was sent.`,
        nextStep: 'Try again in a moment; the machine may still be starting.',
      }
    case 'no-common-algorithm':
      return {
        title: 'No common encryption with this machine',
        meaning: `${withReason('Slipway and the SSH server have no algorithm in common', problem.detail)} You’re still charged for the instance.`,
        nextStep:
          'Allow an algorithm that Slipway accepts in the server’s sshd_config, or rent with another image. Your own ssh may support more.',
      }
    case 'signature-invalid':
      return {
        title: 'Couldn’t verify the host key',
        meaning: `The reply from ${place} was changed on the way, or came from someone who doesn’t hold the host key. Someone may be between you and the instance. Slipway disconnected before it sent your username or a key. You’re still charged for the instance.`,
        nextStep:
          'Don’t trust this network: connect from another one. If it happens there too, don’t trust this host.',
      }
    case 'banner-too-long':
      return {
        title: 'The login message is too long',
        meaning: `${place} sent a login banner or prompt that is too long for Slipway (over 35 kB), so you aren’t logged in. You’re still charged for the instance.`,
        nextStep:
          'Log in with ssh in another terminal, shorten the banner (the file that Banner names in sshd_config), then try again.',
      }
    case 'no-keys':
      return {
        title: 'There is no key to log in with',
        meaning: [
          'Slipway has no key to offer, and the host didn’t ask for a password.',
          ...problem.hints.map(asSentence),
          'You’re still charged for the instance.',
        ].join(' '),
        nextStep: 'Create an SSH key in Settings, choose an identity file there, or start your SSH agent.',
      }
    case 'authentication-failed':
      return authenticationText(problem, retry)
    case 'login-ended':
      return loginEndedText(problem.why, place, retry)
    case 'host-key-refused':
      return {
        title: 'You did not trust this machine’s key',
        meaning: 'Nothing was sent to it, and its key was not kept.',
        nextStep: 'Connect again to be asked anew.',
      }
    case 'out-of-order':
      return {
        title: 'What answers there is not to be trusted',
        meaning: `${place} claimed that the login was done before its key was trusted, as no SSH server does. Something on the way may pretend to be the machine. Nothing was sent to it, and its key was not kept.`,
        nextStep: 'Try it from another network. If it stays, destroy the instance and rent another.',
      }
    case 'protocol-broken':
      return {
        title: 'The instance doesn’t follow the SSH protocol',
        meaning: `${withReason(`Slipway disconnected ${address === null ? 'the instance' : place}`, problem.detail)} You’re still charged for the instance.`,
        nextStep: `If this is the first time, ${retry}. Otherwise, destroy the instance and rent another one.`,
      }
    case 'stopped':
      return {
        title: 'You stopped connecting',
        meaning: `Slipway does not try ${place} any more. The instance goes on as it is, and is charged.`,
        nextStep: 'Connect again when you want to.',
      }
    case 'link-lost':
      return {
        title: 'The connection was lost',
        meaning: `${withReason(place, problem.detail)} The instance itself goes on and is charged.`,
        nextStep: 'Try again.',
      }
    case 'channel-refused':
      return {
        title: 'The machine opens no shell',
        meaning: withReason('You are logged in, but it refused a shell', problem.detail),
        nextStep:
          'Close another terminal of this instance, for its SSH server may allow no more at once (MaxSessions), or check whether the image allows logins for this user. Then try again.',
      }
    case 'known-hosts-unusable':
      return {
        title: 'The list of trusted machines cannot be used',
        meaning: withReason(
          'Without it no machine can be told from an impostor, so no connection is made',
          problem.detail,
        ),
        nextStep: 'Check that the file can be read and written, then try again.',
      }
    case 'no-way-on':
      return {
        title: problem.isForbidden
          ? 'The way on is not allowed'
          : `There is no way on to ${formatSshAddress(problem.to)}`,
        meaning: withReason(
          `You are logged in, but no connection to ${formatSshAddress(problem.to)} is made from there`,
          problem.detail,
        ),
        nextStep: problem.isForbidden
          ? 'Its SSH server must allow it (AllowTcpForwarding). Ask whoever runs it, or choose another way.'
          : 'Check that the next machine runs and can be reached from there, then try again.',
      }
    case 'way-unclear':
      return {
        title: 'It is not clear how to get to the machine',
        meaning: withReason('Nothing was sent anywhere', problem.detail),
        nextStep: 'Mend it in ~/.ssh/config, or choose a jump host in Settings or for this instance.',
      }
    case 'at-hop':
      return hopProblemText(problem, retry)
    case 'proxy-command': {
      const { title, meaning } = sshProblemText(problem.problem, address)
      return {
        title,
        meaning: `${meaning} ~/.ssh/config names a ProxyCommand for this machine. Slipway runs no commands from there, and tried the direct way.`,
        nextStep: 'Name the way as ProxyJump there, or choose a jump host in Settings or for this instance.',
      }
    }
    default:
      return assertNever(problem)
  }
}

/** Something answered, and then no more: how far it got tells what may be wrong. */
function unansweredText(
  step: Extract<SshProblem, { kind: 'unanswered' }>['step'],
  place: string,
): ProblemText {
  switch (step) {
    case 'greeting':
      return {
        title: 'No SSH server answered',
        meaning: `${place} accepted the connection but didn’t start SSH. Another service may use this port, or the SSH server hangs. No key or password was sent. You’re still charged for the instance.`,
        nextStep: 'Check that the host runs and that this is its SSH port, then try again.',
      }
    case 'login':
      return {
        title: 'The login wasn’t answered',
        meaning: `The SSH server at ${place} answered, then stopped before you were logged in. It may be overloaded. You’re still charged for the instance.`,
        nextStep: 'Try again in a minute, and check that the host still runs.',
      }
    case 'shell':
      return {
        title: 'The shell didn’t start',
        meaning: `You’re logged in to ${place}, but its SSH server hasn’t answered the request for a shell. A full disk or an overloaded instance can be the cause. You’re still charged for the instance.`,
        nextStep: 'Try again, and check the instance’s CPU, memory, and disk.',
      }
    default:
      return assertNever(step)
  }
}

/** What went wrong before the instance was reached; it has no part in it, and costs money meanwhile. */
function hopProblemText(
  { hop, problem }: Extract<SshProblem, { kind: 'at-hop' }>,
  retry: RetryWords,
): ProblemText {
  const place = formatSshAddress(hop.address)
  const { title, meaning, nextStep } = sshProblemText(problem, hop.address, retry)
  const named = `${hopName(hop)}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`
  if (problem.kind === 'refused')
    return {
      title: named,
      meaning: `Nothing listens at ${place}, which is on the way to the instance. The instance goes on, and is charged.`,
      nextStep: 'Check the jump host, then try again.',
    }
  if (problem.kind === 'protocol-broken')
    return {
      title: `${hopName(hop)} doesn’t follow the SSH protocol`,
      meaning: `${withReason(`Slipway disconnected ${place}`, problem.detail)} The instance keeps running, and you’re still charged for it.`,
      nextStep: 'Check the jump host, or choose another one in Settings or for this instance.',
    }
  return { title: named, meaning: `${place} is on the way to the instance. ${meaning}`, nextStep }
}

/** `Jump host`, or `Jump host 2 of 3`. */
export function hopName({ place, of }: HopPlace): string {
  return of === 1 ? 'Jump host' : `Jump host ${place} of ${of}`
}
