import { assertNever } from '#domain/base/assert-never.ts'
import type { Run, RunPhase } from '#domain/runs/run.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { formatSeconds } from '#ui/format.ts'
import { connectionFailureText, waitingMark } from '#shared/ssh/connection-text.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'
import { sshProblemText } from '#ui/problems/ssh-problem-text.ts'
import type { Mark } from '#ui/tone.ts'

/** Where a command stands on one instance, in a few words with their tone. */
export function phaseMark(phase: RunPhase, connection: ConnectionState, now: number): Mark {
  switch (phase.kind) {
    case 'connecting':
      return waitingMark(connection)
    case 'running':
      return { tone: 'busy', label: `Running, ${formatSeconds(Math.max(0, now - phase.since) / 1_000)}` }
    case 'exited':
      return exitMark(phase)
    case 'not-connected':
      return { tone: 'bad', label: 'Not run' }
    case 'lost':
      return { tone: 'bad', label: 'Link lost' }
    case 'stopped':
      return stopMark[phase.left]
    default:
      return assertNever(phase)
  }
}

const stopMark = {
  'not-begun': { tone: 'neutral', label: 'Not run' },
  ended: { tone: 'neutral', label: 'Stopped' },
  'maybe-running': { tone: 'warning', label: 'Left, may go on there' },
} as const

function exitMark({ since, until, code, signal }: Extract<RunPhase, { kind: 'exited' }>) {
  const time = formatSeconds((until - since) / 1_000)
  if (code === 0) return { tone: 'good', label: `Done in ${time}` } as const
  if (code !== null) return { tone: 'bad', label: `Exit code ${code} after ${time}` } as const
  if (signal !== null) return { tone: 'bad', label: `Ended by ${signal} after ${time}` } as const
  return { tone: 'warning', label: `Ended after ${time}, without an exit code` } as const
}

/** Why the command was not run on an instance, or what became of it; `null` where there is nothing to explain. */
export function phaseTrouble(phase: RunPhase): ProblemText | null {
  switch (phase.kind) {
    case 'not-connected':
      return connectionFailureText(phase.failure)
    case 'lost':
      return {
        title: sshProblemText(phase.problem).title,
        meaning: 'The command may go on there, and may have ended. What it had written by then is below.',
        nextStep: 'Look at the machine before you run it again.',
      }
    default:
      return null
  }
}

/** `2 of 3 done, 1 failed`; what a screen reader hears of a run. */
export function runSummary({ places }: Run): string {
  const count = (holds: (phase: RunPhase) => boolean): number =>
    places.filter(({ phase }) => holds(phase)).length
  const going = count(({ kind }) => kind === 'connecting' || kind === 'running')
  const done = count((phase) => phase.kind === 'exited' && phase.code === 0)
  const stopped = count(({ kind }) => kind === 'stopped')
  const failed = places.length - going - done - stopped
  return [
    `${done} of ${places.length} done`,
    ...(going > 0 ? [`${going} going on`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(stopped > 0 ? [`${stopped} stopped`] : []),
  ].join(', ')
}
