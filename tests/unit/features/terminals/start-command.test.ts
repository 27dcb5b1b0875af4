import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { plainShell, type ShellWish } from '#domain/terminals/shell-wish.ts'
import {
  createStartCommand,
  startCommandOf,
  type CommandLine,
} from '../../../../src-renderer/features/terminals/start-command.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const nothing: CommandLine = { isFullScreen: false, takesPastesAsText: false, beforeCursor: '' }
const prompt: CommandLine = { ...nothing, beforeCursor: 'root@host:~# ' }
const tmux: ShellWish = { kind: 'tmux', session: 'train' }

/** A terminal whose screen a test draws. */
function terminal(command: string | null = 'nvidia-smi') {
  let line = nothing
  const typed: string[] = []
  const start = createStartCommand({
    command: () => command,
    line: () => line,
    type: (text) => void typed.push(text),
  })
  return {
    start,
    typed,
    draw: (next: CommandLine): void => {
      line = next
      start.wrote()
    },
  }
}
const quiet = () => vi.advanceTimersByTime(1_000)

test.each(['root@host:~# ', '$ ', 'host% ', 'node-12% ', '% ', 'C:\\> ', 'root@host ~> ', '/workspace>'])(
  'is typed once behind the prompt %j',
  (beforeCursor) => {
    const { start, typed, draw } = terminal()
    start.shellBegan(plainShell)
    draw(nothing)
    quiet()
    expect(typed).toEqual([])
    draw({ ...nothing, beforeCursor })
    quiet()
    draw({ ...nothing, beforeCursor })
    quiet()
    expect(typed).toEqual(['nvidia-smi'])
    expect(start.leftOut.value).toBeNull()
  },
)

test('is typed where a shell says that it edits a line, whatever its prompt', () => {
  const { start, typed, draw } = terminal()
  start.shellBegan(plainShell)
  draw({ ...nothing, takesPastesAsText: true, beforeCursor: 'λ ' })
  quiet()
  expect(typed).toEqual(['nvidia-smi'])
})

test('waits until nothing more is drawn', () => {
  const { start, typed, draw } = terminal()
  start.shellBegan(plainShell)
  for (let at = 0; at < 5; at += 1) {
    draw(prompt)
    vi.advanceTimersByTime(300)
  }
  expect(typed).toEqual([])
  quiet()
  expect(typed).toEqual(['nvidia-smi'])
})

test.each([
  ['progress', { ...nothing, beforeCursor: 'Downloading  42%' }],
  ['progress alone', { ...nothing, beforeCursor: '99.5 % ' }],
  ['the rest of a command', { ...nothing, beforeCursor: '> ' }],
  ['the rest of a quotation', { ...nothing, beforeCursor: 'dquote> ' }],
  ['a program of its own', { ...nothing, beforeCursor: '>>> ' }],
  ['a question', { ...nothing, beforeCursor: 'New password: ' }],
  ['a program with the whole screen', { isFullScreen: true, takesPastesAsText: true, beforeCursor: '# ' }],
  ['nothing', nothing],
])('is not typed into %s, which is said, and may be typed by its user', (_, line) => {
  const { start, typed, draw } = terminal()
  start.shellBegan(plainShell)
  draw(line)
  vi.advanceTimersByTime(60_000)
  expect(typed).toEqual([])
  expect(start.leftOut.value).toBe('no-prompt')
  draw(prompt)
  quiet()
  expect(typed).toEqual([])
  start.typeNow()
  expect(typed).toEqual(['nvidia-smi'])
  expect(start.leftOut.value).toBeNull()
})

test('a computer that slept meanwhile has waited no longer than it was awake', () => {
  const { start, typed, draw } = terminal()
  start.shellBegan(plainShell)
  // What was due fires once, however long ago that was: that nothing more is drawn, and that a second passed.
  for (let fired = 0; fired < 2; fired += 1) vi.advanceTimersToNextTimer()
  expect(start.leftOut.value).toBeNull()
  draw(prompt)
  quiet()
  expect(typed).toEqual(['nvidia-smi'])
})

test('a session gets it when it is made, and not when it is come back to', () => {
  const old = terminal()
  old.start.shellBegan(tmux)
  old.draw({ ...prompt, isFullScreen: true })
  vi.advanceTimersByTime(60_000)
  // By then it is a program that says so.
  old.start.sessionMade()
  quiet()
  expect(old.typed).toEqual([])
  expect(old.start.leftOut.value).toBeNull()

  const made = terminal()
  made.start.shellBegan(tmux)
  made.start.sessionMade()
  made.draw({ ...prompt, isFullScreen: true })
  quiet()
  made.start.sessionMade()
  quiet()
  expect(made.typed).toEqual(['nvidia-smi'])
})

test('a session that somebody types in is not made any more', () => {
  const { start, typed, draw } = terminal()
  start.shellBegan(tmux)
  start.userTyped()
  start.sessionMade()
  draw(prompt)
  quiet()
  expect(typed).toEqual([])
  expect(start.leftOut.value).toBeNull()
})

test('a plain shell in place of a session gets it', () => {
  const { start, typed, draw } = terminal()
  start.shellBegan(tmux)
  start.sessionMissing()
  draw(prompt)
  quiet()
  expect(typed).toEqual(['nvidia-smi'])
})

test.each(['before', 'after'])('who types %s the shell begins is first', (when) => {
  const { start, typed, draw } = terminal()
  start.expectShell()
  if (when === 'before') start.userTyped()
  start.shellBegan(plainShell)
  start.userTyped()
  draw(prompt)
  quiet()
  expect(typed).toEqual([])
  expect(start.leftOut.value).toBe('typed-first')
  start.dismiss()
  expect(start.leftOut.value).toBeNull()
})

test('each new shell gets it, and one that has ended does not', () => {
  const { start, typed, draw } = terminal()
  for (let shells = 0; shells < 2; shells += 1) {
    start.expectShell()
    start.shellBegan(plainShell)
    draw(prompt)
    quiet()
    start.userTyped()
  }
  expect(typed).toEqual(['nvidia-smi', 'nvidia-smi'])
  expect(start.leftOut.value).toBeNull()
  start.expectShell()
  start.shellBegan(plainShell)
  draw(prompt)
  start.shellEnded()
  vi.advanceTimersByTime(60_000)
  expect(typed).toHaveLength(2)
  expect(start.leftOut.value).toBeNull()
})

test('without a command nothing is typed, and nothing is said', () => {
  const { start, typed, draw } = terminal(null)
  start.shellBegan(plainShell)
  draw(prompt)
  vi.advanceTimersByTime(60_000)
  start.expectShell()
  start.shellBegan(plainShell)
  start.userTyped()
  expect(typed).toEqual([])
  expect(start.leftOut.value).toBeNull()
})

test('a terminal has the command that is marked, none, or its own', () => {
  const marked = { id: 'a', command: 'ls', atStart: true }
  const other = { id: 'b', command: 'df', atStart: false }
  expect(startCommandOf({ kind: 'default' }, [other, marked])).toBe(marked)
  expect(startCommandOf({ kind: 'default' }, [other])).toBeNull()
  expect(startCommandOf({ kind: 'none' }, [marked])).toBeNull()
  expect(startCommandOf({ kind: 'snippet', id: 'b' }, [marked, other])).toBe(other)
  expect(startCommandOf({ kind: 'snippet', id: 'gone' }, [marked, other])).toBeNull()
})
