import { assertNever } from '#domain/base/assert-never.ts'
import { formatSshAddress } from '#domain/ssh/ssh-address.ts'
import type { AddressKind } from '#domain/ssh/ssh-choice.ts'
import type { HopPlace, SshAddress, SshProblem } from '#domain/ssh/ssh.ts'
import { withReason } from '../format.ts'
import { addressProblemText } from './address-problem-text.ts'
import { skippedText } from './key-fault-text.ts'
import { authenticationText, loginEndedText, type RetryWords } from './login-problem-text.ts'
import type { ProblemText } from './problem-text.ts'
import { sshDetailText } from './ssh-detail-text.ts'

/**
 * Tells in words why there is no connection to a host.
 *
 * @param address where it was tried; `null` when there was none
 * @param retry the terminals name their button
 */
export function sshProblemText(
  problem: SshProblem,
  address: SshAddress | null = null,
  retry: RetryWords = 'try again',
): ProblemText {
  const place = address === null ? 'The host' : `${address.host}:${address.port}`
  switch (problem.kind) {
    case 'no-address':
      if (problem.chosen !== undefined) return noChosenAddressText(problem.chosen)
      return {
        title: 'The instance has no SSH address yet',
        meaning: `Its state is “${problem.status ?? 'provisioning'}”. You can connect when it’s running.`,
        nextStep: 'Wait until the instance is running, then connect again.',
      }
    case 'refused':
      return {
        title: 'The host refused the connection',
        meaning: `Nothing listens at ${place}. The SSH server may still be starting. You’re still charged for the instance.`,
        nextStep:
          'Try again in a minute. If this continues, the image may have no SSH server: destroy the instance and choose another image.',
      }
    case 'timeout':
      return {
        title: 'The host didn’t answer in time',
        meaning: `${place} didn’t answer. A firewall, a network problem, or an overloaded host can be the cause.`,
        nextStep: 'Check the instance’s state and your network, then try again.',
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
        title: 'Couldn’t reach the host',
        meaning: withReason(`${place} can’t be reached`, sshDetailText(problem.detail)),
        nextStep: 'Check your network, then try again.',
      }
    case 'not-ssh':
      return {
        title: 'This isn’t an SSH server',
        meaning: `${withReason(`${place} didn’t reply as an SSH server`, sshDetailText(problem.detail))} No key or password was sent.`,
        nextStep: 'Try again in a minute: the host may still be starting.',
      }
    case 'no-common-algorithm':
      return {
        title: 'No common encryption with this host',
        meaning: `${withReason('Slipway and the SSH server have no algorithm in common', problem.detail)} You’re still charged for the instance.`,
        nextStep:
          'Allow an algorithm that Slipway accepts in the server’s sshd_config, or rent with another image. Your own ssh may support more.',
      }
    case 'signature-invalid':
      return {
        title: 'Couldn’t verify the host key',
        meaning: `${place} sent a reply that was changed on the way, or that came from someone who doesn’t hold the host key. Someone may be between you and the instance. Slipway disconnected before it sent your username or a key. You’re still charged for the instance.`,
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
        title: 'No key to log in with',
        meaning: [
          'Slipway has no key to offer, and the host didn’t ask for a password.',
          skippedText(problem.skipped),
          'You’re still charged for the instance.',
        ]
          .filter(Boolean)
          .join(' '),
        nextStep: 'Create an SSH key in Settings, choose an identity file there, or start your SSH agent.',
      }
    case 'authentication-failed':
      return authenticationText(problem, retry)
    case 'login-ended':
      return loginEndedText(problem.why, place, retry)
    case 'host-key-refused':
      return {
        title: 'You didn’t trust the host key',
        meaning: 'Nothing was sent to the host, and its key wasn’t stored.',
        nextStep: 'Connect again to compare the key.',
      }
    case 'out-of-order':
      return {
        title: 'The host’s reply can’t be trusted',
        meaning: `${place} claimed that you were logged in before its key was trusted, which no SSH server does. Someone may be between you and the host. Nothing was sent, and the key wasn’t stored.`,
        nextStep:
          'Connect from another network. If this continues, destroy the instance and rent another one.',
      }
    case 'protocol-broken':
      return {
        title: 'The instance doesn’t follow the SSH protocol',
        meaning: `${withReason(`Slipway disconnected ${address === null ? 'the instance' : place}`, sshDetailText(problem.detail))} You’re still charged for the instance.`,
        nextStep: `If this is the first time, ${retry}. Otherwise, destroy the instance and rent another one.`,
      }
    case 'stopped':
      return {
        title: 'You stopped connecting',
        meaning: `Slipway no longer tries to connect. You’re still charged for the instance.`,
        nextStep: 'Connect again at any time.',
      }
    case 'unasked':
      return {
        title: 'Connecting needs your answer',
        meaning:
          'The question is about a host key, a passphrase, or a password. No answer was given for you.',
        nextStep: `To answer, ${retry}.`,
      }
    case 'link-lost':
      return {
        title: 'The connection was lost',
        meaning: `${withReason(`${place} is no longer connected`, sshDetailText(problem.detail))} You’re still charged for the instance.`,
        nextStep: 'Try again.',
      }
    case 'channel-refused':
      return {
        title: 'Couldn’t open a shell',
        meaning: withReason('You’re logged in, but the host refused to open a shell', problem.detail),
        nextStep:
          'Close another terminal of this instance, because its SSH server may limit them (MaxSessions), or check whether the image allows logins for this user. Then try again.',
      }
    case 'known-hosts-unusable':
      return {
        title: 'Couldn’t use the list of known hosts',
        meaning: withReason(
          'Without it, Slipway can’t verify hosts, so it doesn’t connect to any',
          problem.detail,
        ),
        nextStep: 'Check that the file can be read and written, then try again.',
      }
    case 'no-way-on':
      return {
        title: problem.isForbidden
          ? 'The host doesn’t allow forwarding'
          : `Couldn’t get on to ${formatSshAddress(problem.to)}`,
        meaning: withReason(
          `You’re logged in, but this host doesn’t connect to ${formatSshAddress(problem.to)}`,
          problem.detail,
        ),
        nextStep: problem.isForbidden
          ? 'Its SSH server must allow forwarding (AllowTcpForwarding). Ask whoever runs it, or choose another route.'
          : 'Check that the next host runs and can be reached from this one, then try again.',
      }
    case 'way-unclear':
      return {
        title: 'The route to the host is unclear',
        meaning: withReason('Slipway hasn’t sent anything', sshDetailText(problem.detail)),
        nextStep: 'Fix it in ~/.ssh/config, or choose a jump host in Settings or for this instance.',
      }
    case 'both-addresses':
      return bothAddressesText(problem.tries, retry)
    case 'at-hop':
      return hopProblemText(problem, retry)
    case 'proxy-command': {
      const { title, meaning } = sshProblemText(problem.problem, address)
      return {
        title,
        meaning: `${meaning} ~/.ssh/config names a ProxyCommand for this host. Slipway doesn’t run commands from there, and tried to connect directly.`,
        nextStep: 'Use ProxyJump there instead, or choose a jump host in Settings or for this instance.',
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

/** The other address isn't tried: that would undo the choice. */
function noChosenAddressText(chosen: AddressKind): ProblemText {
  const name = chosen === 'direct' ? 'direct address' : 'service’s SSH address'
  return {
    title: chosen === 'direct' ? 'The instance has no direct address' : 'The service names no SSH address',
    meaning: `You chose to connect to the ${name} only, and the service’s record has none for this instance. You’re still charged for the instance.`,
    nextStep:
      'Try again later, or choose another address: on the instance’s page, under Connect, select Change….',
  }
}

/** Each address is named; where both failed alike, so is what to do about it. */
function bothAddressesText(
  tries: Extract<SshProblem, { kind: 'both-addresses' }>['tries'],
  retry: RetryWords,
): ProblemText {
  const [first] = tries
  const areAlike = first !== undefined && tries.every(({ problem }) => problem.kind === first.problem.kind)
  const alike = areAlike ? sshProblemText(first.problem, first.address, retry) : null
  const reasons = tries.map(({ address, problem }) => addressProblemText(problem, formatSshAddress(address)))
  return {
    title: 'Couldn’t connect to either address',
    meaning: [
      ...reasons,
      'No key or password was sent to the instance. You’re still charged for the instance.',
    ].join(' '),
    nextStep:
      alike?.nextStep ?? 'Check your network and firewall, and whether the instance runs, then try again.',
    canRetry: true,
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
      meaning: `Nothing listens at ${place}, a jump host on the route to the instance. You’re still charged for the instance.`,
      nextStep: 'Check the jump host, then try again.',
    }
  if (problem.kind === 'protocol-broken')
    return {
      title: `${hopName(hop)} doesn’t follow the SSH protocol`,
      meaning: `${withReason(`Slipway disconnected ${place}`, sshDetailText(problem.detail))} You’re still charged for the instance.`,
      nextStep: 'Check the jump host, or choose another one in Settings or for this instance.',
    }
  return { title: named, meaning: `${place} is on the route to the instance. ${meaning}`, nextStep }
}

/** `Jump host`, or `Jump host 2 of 3`. */
export function hopName({ place, of }: HopPlace): string {
  return of === 1 ? 'Jump host' : `Jump host ${place} of ${of}`
}
