import { assertNever } from '#domain/base/assert-never.ts'
import { plainShell, type ShellWish } from '#domain/terminals/shell-wish.ts'
import type { SshProblem } from '#domain/ssh/ssh.ts'
import type { TerminalState } from '#domain/terminals/terminal-state.ts'
import {
  connectingMark,
  connectionFailureText,
  reconnectingMark,
  waitingMark,
} from '#shared/ssh/connection-text.ts'
import { problemText, type ProblemText } from '#ui/problems/problem-text.ts'
import { sshProblemText } from '#ui/problems/ssh-problem-text.ts'
import type { Mark } from '#ui/tone.ts'
import { sessionText } from './session-names.ts'
import type { LineState } from './terminal-line.ts'

/** A state in one or two words, for the tab and the status line. */
export function stateMark(state: LineState): Mark {
  switch (state.kind) {
    case 'preparing':
    case 'connecting':
      return connectingMark
    case 'unknown-host':
      return waitingMark(state)
    case 'host-key-changed':
      return { tone: 'bad', label: 'Host key changed' }
    case 'open':
      return { tone: 'good', label: 'Connected' }
    case 'exited':
      return { tone: 'neutral', label: 'Ended' }
    case 'resting':
      return { tone: 'neutral', label: 'Previous session' }
    case 'not-opened':
    case 'failed':
      return { tone: 'bad', label: 'Not connected' }
    case 'reconnecting':
      return reconnectingMark
    default:
      return assertNever(state)
  }
}

type Exited = Extract<TerminalState, { kind: 'exited' }>

/** How the shell ended, in its own terms. */
export function exitText({ code, signal }: Exited): string {
  if (signal !== null) return `Signal ${signal} ended the shell`
  return code === null ? 'The shell ended without an exit status' : `The shell ended with exit status ${code}`
}

/** Whether there is a shell, or is about to be one. Only then does closing lose something. */
export function isLive(state: LineState): boolean {
  return state.kind === 'open'
}

/** `neutral` when nothing went wrong. */
export type EndText = ProblemText & { readonly tone: 'error' | 'neutral' }

/**
 * What a terminal without a shell says below its screen; `null` while it is on its way or open.
 *
 * @param wish what runs in it
 * @param takesInput whether what is typed waits for the next shell
 */
export function endText(state: LineState, wish: ShellWish = plainShell, takesInput = false): EndText | null {
  switch (state.kind) {
    case 'preparing':
    case 'connecting':
    case 'unknown-host':
    case 'open':
      return null
    case 'resting':
      return {
        tone: 'neutral',
        title: 'Previous session, not connected',
        ...(wish.kind === 'plain'
          ? {
              meaning: 'The shell ended when Slipway closed.',
              nextStep: 'Select Connect for a new shell below the saved output.',
            }
          : {
              meaning: `The session keeps running while the instance runs: ${sessionText(wish)}.`,
              nextStep: 'Select Connect to reattach.',
            }),
      }
    case 'exited':
      return {
        tone: 'neutral',
        title: exitText(state),
        meaning: 'The output stays on the screen. You’re still charged for the instance.',
        nextStep: 'Select Reconnect for a new shell.',
      }
    case 'not-opened':
      return { tone: 'error', ...problemText(state.problem) }
    case 'reconnecting':
      return reconnectingText(state, wish, takesInput)
    case 'failed':
    case 'host-key-changed':
      return { tone: 'error', ...connectionFailureText(state, 'select Reconnect') }
    default:
      return assertNever(state)
  }
}

type Reconnecting = Extract<TerminalState, { kind: 'reconnecting' }>

/** In few words: Slipway reconnects, and there is nothing to do. */
function reconnectingText({ problem, address }: Reconnecting, wish: ShellWish, takesInput: boolean): EndText {
  const { title, meaning } = sshProblemText(problem, address)
  return {
    tone: 'error',
    title: problem.kind === 'link-lost' ? title : `Still not connected: ${title}`,
    meaning: `${meaning} ${shellText(problem, wish)}`.trim(),
    nextStep: [
      wish.kind === 'plain'
        ? 'Slipway reconnects automatically and opens a new shell below the current output.'
        : `Slipway reconnects automatically and reattaches to the session: ${sessionText(wish)}.`,
      takesInput ? 'Your input is sent then.' : 'Input is ignored until then.',
    ].join(' '),
  }
}

/** What becomes of the shell's processes; for a plain one it's said once, when its connection is lost. */
function shellText(problem: SshProblem, wish: ShellWish): string {
  if (wish.kind !== 'plain') return 'Processes in the session keep running while the instance runs.'
  return isLoss(problem) ? 'Processes in the shell may have ended.' : ''
}

function isLoss(problem: SshProblem): boolean {
  const { kind } = problem.kind === 'at-hop' ? problem.problem : problem
  return kind === 'link-lost'
}

/** Whether what is missing is set up in Settings: a key, or the user to log in as. */
export function isMendedInSettings(state: LineState): boolean {
  return (
    state.kind === 'failed' &&
    (state.problem.kind === 'no-keys' || state.problem.kind === 'authentication-failed')
  )
}
