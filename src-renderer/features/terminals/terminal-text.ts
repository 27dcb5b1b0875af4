import { assertNever } from '#domain/base/assert-never.ts'
import type { LineLogEnd } from '#domain/base/line-log.ts'
import { counted } from '#domain/base/plural.ts'
import type { SessionTool, ShellWish } from '#domain/terminals/shell-wish.ts'
import { formatBytes, withReason } from '#ui/format.ts'
import type { LeftOut } from './start-command.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'
import { sessionText } from './session-names.ts'

/** What a terminal's dialogs, strips, and status line say. What its states say stands in `state-words.ts`. */

export const noTerminals =
  'Open a terminal from a running instance. Its shell stays open while you use other pages.'

/** @param count how many terminals share what is typed: none, or at least two */
export function broadcastText(count: number): string {
  return count > 0
    ? `Your input goes to ${counted(count, 'terminal')}.`
    : 'No other terminal shares this broadcast. Select Broadcast typing in another terminal’s menu.'
}

/** What closing a live terminal ends. */
export function closeText(runs: ShellWish): string {
  const session = sessionText(runs)
  const what =
    session === null
      ? 'The shell and everything running in it will end.'
      : `The session keeps running on the instance: ${session}.`
  return `${what} You’re still charged for the instance.`
}

/** What connecting anew does to what runs in a live terminal. */
export function anewText(runs: ShellWish): string {
  return runs.kind === 'plain'
    ? 'If you connect, the current shell and everything running in it will end.'
    : 'If you connect, the terminal leaves the current session, which keeps running on the instance.'
}

/** Why a terminal's start command wasn't typed. */
export const leftOutText: Readonly<Record<LeftOut, string>> = {
  'typed-first': 'The start command didn’t run: you typed first.',
  'no-prompt':
    'The start command didn’t run: no prompt appeared. A login program, such as tmux, may be in front.',
}

/** On a saved command that new shells get. */
export const atStartText = { marked: 'Runs when a terminal connects' } as const

export const insertText = {
  title: 'Insert a saved command',
  description: 'Type to filter, select with the arrow keys. Enter inserts the command without running it.',
  field: 'Find a saved command',
  empty: 'No saved commands yet. Type a command above to save it, or save one on “Run a command”.',
  noneFits: 'No saved command matches.',
  noShell: 'No shell is connected. Reconnect the terminal first.',
} as const

/** What the list of saved commands says of itself. */
export function pickerStatus(shown: number, all: number): string {
  if (all === 0) return ''
  return shown === all ? counted(all, 'saved command') : `${shown} of ${counted(all, 'saved command')}`
}

/** The choice of a terminal's start command. @param marked the one that is marked for all terminals */
export const startChoiceLabels = {
  default: (marked: string | null) =>
    marked === null ? 'Default: no command' : `Default: ${oneLine(marked)}`,
  none: 'No command',
  snippet: oneLine,
} as const

function oneLine(command: string): string {
  const text = command.trim().replace(/\s+/g, ' ')
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`
}

export const startHelp = 'Typed into each new shell. A session that is reattached doesn’t run it again.'

export const sessionHelp = 'Reattaches to this session, or creates it.'

export const shellKinds = [
  { value: 'plain', label: 'Plain shell', description: 'Ends with its connection.' },
  {
    value: 'tmux',
    label: 'tmux',
    description:
      'A session on the instance that keeps running without a connection. Press Ctrl+B, then D to detach.',
  },
  {
    value: 'screen',
    label: 'screen',
    description: 'A session like that of tmux. Press Ctrl+A, then D to detach.',
  },
] satisfies { value: ShellWish['kind']; label: string; description: string }[]

/** Why a terminal that should run in a session runs a plain shell. */
export function missingText(tool: SessionTool): string {
  return `${tool} isn’t installed on this instance. Running processes end with the connection.`
}

export const newAddressText =
  'The instance answered at an address that is new to Slipway, with the same host key as before. The address is trusted now.'

/** What a program of an instance wants with the clipboard. @param place the instance, or where its shell runs */
export function clipboardText(place: string): string {
  return `A program on ${place} wants to replace the clipboard’s content with this text.`
}

export const clipboardMeaning =
  'Your answer applies to this instance until you quit. Instances can never read your clipboard.'

/** What was done when a program of an instance wrote to the clipboard. */
export const clipboardNotes = {
  written: 'The instance wrote to your clipboard',
  failed: 'Couldn’t write to the clipboard',
  refused: 'The instance wasn’t allowed to write to your clipboard',
} as const

export const plainLinkMeaning =
  'This address uses plain HTTP: anything you send or see there, including passwords and tokens, can be read and changed on the way.'

/** The last part of a path of this computer's. */
export function fileNameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path
}

/** Why a terminal's output isn't written to its file anymore. */
export function logEndText(path: string, end: LineLogEnd): ProblemText {
  const name = fileNameOf(path)
  const again = 'The terminal isn’t affected. To continue, select Log to file… in its tab’s menu.'
  switch (end.kind) {
    case 'full':
      return {
        title: `Log ended at ${formatBytes(end.mostBytes)}: ${name}`,
        meaning: 'The file keeps what was logged.',
        nextStep: again,
      }
    case 'disk-full':
      return {
        title: `Log ended, because the disk is full: ${name}`,
        meaning: 'The file keeps what was logged.',
        nextStep: again,
      }
    case 'failed':
      return {
        title: `Couldn’t write to the log: ${name}`,
        meaning: withReason('The system refused it', end.detail),
        nextStep: again,
      }
    default:
      return assertNever(end)
  }
}

export const linkNotOpened: ProblemText = {
  title: 'Couldn’t open your browser',
  meaning: 'No program is registered for this kind of link, or it couldn’t be started.',
  nextStep: 'Copy the address and open it yourself.',
}

export const editorFolderText = {
  unknown:
    'Slipway doesn’t know the shell’s folder. The folder that Files showed last opens, or else /root (/ for other users), over the editor’s own SSH connection.',
} as const
