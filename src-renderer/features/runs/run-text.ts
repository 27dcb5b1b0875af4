import { assertNever } from '#domain/base/assert-never.ts'
import { counted } from '#domain/base/plural.ts'
import type { Run, RunPhase } from '#domain/runs/run.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { formatSeconds } from '#ui/format.ts'
import { connectionFailureText, waitingMark } from '#shared/ssh/connection-text.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'
import { sshProblemText } from '#ui/problems/ssh-problem-text.ts'
import type { Mark } from '#ui/tone.ts'

/** Why no command can be run now; `null` when one can, or when the field for it is empty, which shows. */
export function runBlock(chosen: number, isGoingOn: boolean): string | null {
  if (isGoingOn) return 'To run another command, wait for this one or stop it.'
  return chosen === 0 ? 'Select at least 1 instance.' : null
}

/** A command's state on one instance, in a few words with their tone. */
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
      return { tone: 'bad', label: 'Connection lost' }
    case 'stopped':
      return stopMark[phase.left]
    default:
      return assertNever(phase)
  }
}

const stopMark = {
  'not-begun': { tone: 'neutral', label: 'Not run' },
  ended: { tone: 'neutral', label: 'Stopped' },
  'maybe-running': { tone: 'warning', label: 'Detached, may still be running' },
} as const

function exitMark({ since, until, code, signal }: Extract<RunPhase, { kind: 'exited' }>) {
  const time = formatSeconds((until - since) / 1_000)
  if (code === 0) return { tone: 'good', label: `Done in ${time}` } as const
  if (code !== null) return { tone: 'bad', label: `Exit code ${code} after ${time}` } as const
  if (signal !== null) return { tone: 'bad', label: `Ended by ${signal} after ${time}` } as const
  return { tone: 'warning', label: `Ended after ${time}, without an exit code` } as const
}

/** Why the command wasn't run on an instance, or how it was lost; `null` if there is nothing to explain. */
export function phaseTrouble(phase: RunPhase): ProblemText | null {
  switch (phase.kind) {
    case 'not-connected':
      return connectionFailureText(phase.failure)
    case 'lost':
      return {
        title: sshProblemText(phase.problem).title,
        meaning: 'The command may still be running, or may have ended. Its output up to then is below.',
        nextStep: 'Check the instance before you run the command again.',
      }
    default:
      return null
  }
}

/** `2 of 3 done, 1 failed`, which screen readers announce. */
export function runSummary({ places }: Run): string {
  const count = (holds: (phase: RunPhase) => boolean): number =>
    places.filter(({ phase }) => holds(phase)).length
  const going = count(({ kind }) => kind === 'connecting' || kind === 'running')
  const done = count((phase) => phase.kind === 'exited' && phase.code === 0)
  const stopped = count(({ kind }) => kind === 'stopped')
  const failed = places.length - going - done - stopped
  return [
    `${done} of ${places.length} done`,
    ...(going > 0 ? [`${going} running`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(stopped > 0 ? [`${stopped} stopped`] : []),
  ].join(', ')
}

/** What the page is for while nothing can be run. @param hasInstances whether anything is rented */
export function noInstanceText(hasInstances: boolean): string {
  const now = hasInstances ? 'None of your instances is running.' : 'You have no instances yet.'
  return `Run one command on several running instances at once, with their outputs side by side. ${now}`
}

export const nothingRunText =
  'Select instances, enter a command, and run it. The outputs appear here side by side, each with its exit code.'

export const noSnippetsText =
  'Save commands that you use again: “Save as snippet” adds the command you typed. Snippets stay on this computer.'

/** On the button that marks a saved command. */
export function atStartHelp(isMarked: boolean): string {
  return isMarked ? 'Runs when a terminal connects. Select to stop that.' : 'Run when a terminal connects'
}

/** Said below the list while a command is marked. */
export const markedText = 'Typed into each new terminal, on every instance of this account.'

export function omittedOutputText(characters: number): string {
  return `${counted(characters, 'earlier character isn’t shown', 'earlier characters aren’t shown')}.`
}

export function unknownHostsText(count: number) {
  return {
    title: `${counted(count, 'unknown host')}.`,
    text: 'Nothing has been sent to them yet. Expected when you first connect to new instances.',
  }
}
