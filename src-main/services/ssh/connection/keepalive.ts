import type { Clock } from '../../../domain/base/clock.ts'
import type { SshReason } from '../../../domain/ssh/ssh-detail.ts'
import { Pause } from '../pause.ts'

const probeEveryMs = 10_000
/** An answer that takes longer is missed, and the user told. */
const missedAfterMs = 4_000
/** A machine that is silent for so long is not there any more. */
const deadAfterMs = 20_000
/** The same after the computer slept: most links do not survive that, and somebody waits. */
const deadAfterSleepMs = 6_000
/** A pause that took so much longer than it was meant to: the computer slept. */
const sleptMs = 5_000

/** A link, as it is watched. */
export interface WatchedLink {
  /** Resolves when the other side has answered; `null` when it cannot be asked. */
  readonly ask: () => Promise<void> | null
  /** Bytes that have arrived so far, of whatever kind. */
  readonly bytesRead: () => number
  readonly breakOff: (detail: SshReason) => void
}

/** How a link does. */
export interface ConnectionHealth {
  readonly latencyMs: number | null
  readonly silentSince: number | null
}

export interface Keepalive {
  /** Asks for a sign of life at once; `hasSlept` when the computer did. */
  readonly probe: (hasSlept: boolean) => void
}

/**
 * Asks the machine for a sign of life again and again: measures how long the way there and back takes, and
 * breaks off a link that is dead without a word, long before TCP would. Until the signal is aborted.
 */
export function startKeepalive(
  link: WatchedLink,
  clock: Clock,
  report: (health: ConnectionHealth) => void,
  signal: AbortSignal,
): Keepalive {
  const pause = new Pause(clock)
  /** The wait for an answer that is owed. */
  const owed = new Pause(clock)
  let hasSlept = false
  let latencyMs: number | null = null

  /** How long the link was dead; `null` when it lives. */
  async function probe(): Promise<number | null> {
    const readBefore = link.bytesRead()
    const sentAt = clock.now()
    const answer = link.ask()?.then(() => 'answered' as const)
    // ssh2's own keepalive is left then, which is slower.
    if (answer === undefined) return null
    let allowedMs = allowance()
    let hasWoken = false
    let heard = await within(answer, missedAfterMs)
    if (heard !== 'answered') {
      report({ latencyMs, silentSince: sentAt })
      if (heard === 'silent') heard = await within(answer, allowedMs - missedAfterMs)
      // The computer slept while the answer was owed: the wait is counted from when it woke.
      while (heard === 'woken') {
        hasWoken = true
        allowedMs = allowance()
        heard = await within(answer, allowedMs)
      }
      // Under a flood over a slow link the answer stands in line: what arrives is a sign of life, too.
      if (heard === 'silent' && link.bytesRead() === readBefore) return allowedMs
    }
    if (!hasWoken) latencyMs = clock.now() - sentAt
    report({ latencyMs, silentSince: null })
    return null
  }

  function allowance(): number {
    const ms = hasSlept ? deadAfterSleepMs : deadAfterMs
    hasSlept = false
    return ms
  }

  async function within(answer: Promise<'answered'>, ms: number): Promise<'answered' | 'silent' | 'woken'> {
    const silence = owed.wait(ms, signal).then(() => (hasSlept ? 'woken' : 'silent'))
    return await Promise.race([answer, silence])
  }

  async function watch(): Promise<void> {
    for (;;) {
      const deadMs = await probe()
      if (deadMs !== null) return link.breakOff({ code: 'silent', seconds: deadMs / 1000 })
      const before = clock.now()
      await pause.wait(probeEveryMs, signal)
      hasSlept ||= clock.now() - before > probeEveryMs + sleptMs
    }
  }

  watch().catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  return {
    probe: (slept) => {
      hasSlept ||= slept
      pause.cutShort()
      if (slept) owed.cutShort()
    },
  }
}
