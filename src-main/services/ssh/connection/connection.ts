import { Client } from 'ssh2'
import type { Clock } from '../../../domain/base/clock.ts'
import type { SshReason } from '../../../domain/ssh/ssh-detail.ts'
import type { SshAddress, SshProblem } from '../../../domain/ssh/ssh.ts'
import { acknowledgeWhileOpening } from '../protocol/acknowledge.ts'
import { createPrompts, type PromptsWorld } from './create-prompts.ts'
import { algorithmsFor } from '../protocol/algorithms.ts'
import { copiesWhatItReads, keepKeyObjects } from '../protocol/cipher-keys.ts'
import { watchHandshake } from './handshake-watch.ts'
import { createDeadline } from '../deadline.ts'
import { loginEarly } from '../protocol/early-login.ts'
import { problemOfLostLink, problemOfOpenLink, SshFailure } from '../failure.ts'
import type { ForwardedAgent } from '../keys/forwarded-agent.ts'
import type { HostKeyCheck } from '../known-hosts/host-key-check.ts'
import type { Identities } from '../keys/identities.ts'
import type { AskPassphrase } from '../keys/locked-keys.ts'
import { endedBy } from './prompted-login.ts'
import { prepareAuthentication, type AuthenticationError } from './authentication.ts'
import { keepLoginOrder } from '../protocol/login-order.ts'
import { fingerprintOf } from '../protocol/public-key.ts'
import { guardProtocol } from '../protocol/protocol-guard.ts'
import { allowIdleMessages } from '../protocol/rekey-messages.ts'
import { watchSession } from '../protocol/session-binding.ts'
import type { OpenTransport } from './transport.ts'
import { hearAuthReplies } from '../protocol/auth-replies.ts'

/** The last resort, should keepalive.ts be unable to ask: no answer to three in a row means a dead link. */
const keepalive = { keepaliveInterval: 15_000, keepaliveCountMax: 3 }
/** For the handshake and for the login each; a user's answer about a host key does not count. */
const stepDeadlineMs = 20_000
/** After an answer of the user: a host may be waiting for them to approve the login on a phone, for a minute as a rule. */
const approvalMs = 90_000
/** For the other side to take leave. */
const leaveMs = 2_000

export interface ConnectOptions {
  readonly address: SshAddress
  readonly user: string
  readonly open: OpenTransport
  /** What shells may be given the use of; `null` for none. */
  readonly agent?: ForwardedAgent | null
  readonly identities: Identities
  readonly hostKey: Pick<HostKeyCheck, 'knownAlgorithms' | 'verify'>
  readonly ask: AskPassphrase
  /** For logins without a key; nobody answers where this is not told. */
  readonly prompts?: PromptsWorld
  /** Such logins are not begun, whatever the host takes. */
  readonly keysOnly?: boolean
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** A connection that is logged in, until the signal that it was made with is aborted. */
export interface Connection {
  readonly client: Client
  /** Resolves when it has ended, with why. */
  readonly ended: Promise<SshProblem>
  /** Ends it without leave, because of what the other side does. */
  readonly breakOff: (detail: SshReason) => void
  /** The same, because it breaks the protocol: nobody connects again by themselves. */
  readonly breach: (detail: SshReason) => void
  /** Bytes that have arrived over it, of whatever kind. */
  readonly bytesRead: () => number
  /** The fingerprint of the host key that was verified last. */
  readonly hostKey: () => string
  /** Whether keys alone did not do, at this host or one on the way: it asked for more, or may have. */
  readonly wasPrompted: boolean
}

/**
 * Connects and logs in. The host key is verified before the user's name or any key is sent.
 *
 * @throws SshFailure, HostKeyChanged, or the signal's reason
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { address, user, identities, hostKey, clock, signal } = options
  const loggedIn = Promise.withResolvers<undefined>()
  const ended = Promise.withResolvers<SshProblem>()
  let phase: 'login' | 'open' | 'over' = 'login'
  let isTrusted = false
  let isOffering = false
  let trustedKey = ''
  const over = new AbortController()
  /** Aborted when nobody is there any more to take an answer. */
  const gone = new AbortController()
  /** Settles when what the login waits for of its user has been given or refused. */
  let askedOf: Promise<unknown> = Promise.resolve()

  /** Whoever is asked takes their time. A machine that does not wait so long is told of afterwards. */
  async function aside<T>(work: Promise<T>, patienceMs = stepDeadlineMs): Promise<T> {
    deadline.stop()
    askedOf = work.catch(() => undefined) // its caller is told
    try {
      return await work
    } finally {
      if (phase === 'login') deadline.start(patienceMs)
    }
  }

  function failLogin(problem: SshProblem, cause?: Error): void {
    void askedOf.then(() => loggedIn.reject(new SshFailure(problem, { cause })))
  }

  const prompted = createPrompts(options.prompts, {
    login: { ...address, user },
    hostKey: () => trustedKey,
    over: over.signal,
    gone: gone.signal,
    aside: (work) => aside(work, approvalMs),
    fail: (error) => loggedIn.reject(error),
  })
  const login = await prepareAuthentication({
    user,
    prompted,
    keysOnly: options.keysOnly ?? false,
    identities,
    clock,
    // With the attempt its questions go.
    ask: (question, asked) => options.ask(question, AbortSignal.any([asked, over.signal])),
    aside,
  })
  const { stream: sock, bytesRead, lendWhile } = await options.open(address, signal)
  if (signal.aborted) sock.destroy()
  signal.throwIfAborted()
  const client = new Client()
  const session = watchSession(client)
  const algorithms = algorithmsFor(hostKey.knownAlgorithms)
  const handshake = watchHandshake(client, sock, algorithms)
  const deadline = createDeadline(clock, stepDeadlineMs, () =>
    loggedIn.reject(new SshFailure(handshake.unanswered())),
  )
  signal.addEventListener('abort', () => {
    loggedIn.reject(signal.reason)
    void hangUp(client, clock)
  })
  const breakOrder = (): void => loggedIn.reject(new SshFailure({ kind: 'out-of-order' }))
  // Before the key is trusted nobody can have let us in, whatever of ssh2's inside login-order.ts finds.
  client.on('ready', () => (isTrusted ? loggedIn.resolve(undefined) : breakOrder()))
  client.on('change password', () => loggedIn.reject(endedBy('password-change')))
  client.on('error', (error: AuthenticationError) => {
    // ssh2 goes on with what is left to try.
    if (error.level === 'agent') return login.noteUnsigned(error)
    const problem = handshake.explain(login.problemOf(error), error)
    gone.abort(new SshFailure(problem))
    failLogin(problem, error)
    ended.resolve(phase === 'open' ? problemOfOpenLink(error) : problemOfLostLink(error))
    // ssh2 only says goodbye, and waits for a peer that need not answer.
    client.destroy()
  })
  const end = (): void => {
    phase = 'over'
    const loss = { kind: 'link-lost', detail: { code: 'closed-at-login' } } as const
    gone.abort(new SshFailure(loss))
    failLogin(loss)
    ended.resolve({ kind: 'link-lost', detail: { code: 'closed' } })
    options.agent?.endAll()
  }
  client.on('close', end)
  // A transport through a jump host (hop-transport.ts) would stay half open: nobody closes a channel whose other side has ended.
  client.on('end', () => {
    end()
    client.destroy()
  })

  const breakOff = (detail: SshReason): void => {
    ended.resolve({ kind: 'link-lost', detail })
    client.destroy()
  }
  const breach = (detail: SshReason): void => {
    const problem = { kind: 'protocol-broken', detail } as const
    ended.resolve(problem)
    loggedIn.reject(new SshFailure(problem))
    client.destroy()
  }

  // At each key exchange, not only at the first; only then there may be somebody to ask, and the login begins.
  const hostVerifier = (key: Buffer, verify: (isTrusted: boolean) => void): true | undefined => {
    session.noteHostKey(key)
    // While it waits for a later answer, ssh2 1.17 garbles what is sent meanwhile.
    if (isTrusted && fingerprintOf(key) === trustedKey) return true
    if (!isTrusted) deadline.stop()
    hostKey.verify(key).then(
      () => {
        if (phase === 'over') return
        if (!isTrusted) deadline.start()
        isTrusted = true
        trustedKey = fingerprintOf(key)
        verify(true)
      },
      (error: unknown) => {
        loggedIn.reject(error)
        if (phase !== 'over') verify(false)
      },
    )
    return undefined
  }

  try {
    deadline.start()
    client.connect({
      sock,
      username: user,
      algorithms,
      readyTimeout: 0,
      ...keepalive,
      // Logins go by the handler below; this one is for shells that ask for it.
      ...(options.agent && { agent: options.agent.over(session.binding) }),
      // Without a verifier ssh2 would accept any key.
      hostVerifier,
      authHandler: (_, __, offer) => {
        if (!isTrusted) return breakOrder()
        // Nothing was sent that could be refused.
        if (isOffering || prompted.isAsking) return loggedIn.reject(endedBy('out-of-turn'))
        isOffering = true
        login.offerNext().then(
          (method) => {
            isOffering = false
            if (method === null) failLogin(login.refusal())
            else if (phase === 'login') offer(method)
          },
          (error: unknown) => loggedIn.reject(error),
        )
      },
    })
    keepKeyObjects(client)
    lendWhile?.(() => copiesWhatItReads(client))
    loginEarly(client)
    hearAuthReplies(client, {
      onRefused: (accepts, isPartial) => login.noteRefused(accepts, isPartial),
      onPrompts: (count, name, instruction) => {
        try {
          prompted.noteRound({ name, instruction }, count)
          return true
        } catch (error) {
          loggedIn.reject(error)
          return false
        }
      },
    })
    const { countIdle } = guardProtocol(client, { line: sock, clock, onBreach: breach })
    allowIdleMessages(client, countIdle)
    acknowledgeWhileOpening(client)
    // Around the guard: what comes too early is told as that.
    keepLoginOrder(client, breakOrder)
    await loggedIn.promise
    phase = 'open'
    prompted.noteAccepted()
    over.abort()
  } catch (error) {
    phase = 'over'
    over.abort()
    client.destroy()
    throw error
  } finally {
    deadline.stop()
  }
  const wasPrompted = prompted.hasBegun
  return { client, ended: ended.promise, breakOff, breach, bytesRead, hostKey: () => trustedKey, wasPrompted }
}

/** Takes leave, and does not wait long for an answer: a peer that is gone would hold the socket for minutes. */
async function hangUp(client: Client, clock: Clock): Promise<void> {
  client.end()
  await clock.sleep(leaveMs)
  client.destroy()
}
