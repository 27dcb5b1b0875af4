import { readonly, ref, type Ref } from 'vue'
import { assertNever } from '#domain/base/assert-never.ts'
import type { Snippet } from '#domain/runs/run.ts'
import type { StartChoice } from '#domain/terminals/saved-terminals.ts'
import type { ShellWish } from '#domain/terminals/shell-wish.ts'

/** A screen where a command would be typed. */
export interface CommandLine {
  /** A program such as tmux or vim has all of it. */
  readonly isFullScreen: boolean
  /** Whoever reads there knows a paste from keys, as shells do while they wait for a command. */
  readonly takesPastesAsText: boolean
  /** What stands before the cursor in its row. */
  readonly beforeCursor: string
}

/** Why nothing was typed: the user was first, or nothing there looked like a prompt. */
export type LeftOut = 'typed-first' | 'no-prompt'

/** A prompt is drawn in one go: after so long there is nothing more of it. */
const quietMs = 400
/** A login that takes so many seconds longer has asked for something, or shows a program. */
const patienceTicks = 30
/** Counted one by one: a computer that slept comes back to one that is due, and not to all of them. */
const tickMs = 1_000

export interface StartCommand {
  /** A new shell is asked for: what its user types from now on is for it. */
  readonly expectShell: () => void
  /** The new shell begins to write. */
  readonly shellBegan: (wish: ShellWish) => void
  /** It is in a session that was made for it, not in one that is come back to. */
  readonly sessionMade: () => void
  /** It is a plain one in place of its session. */
  readonly sessionMissing: () => void
  /** The screen shows something else than before. */
  readonly wrote: () => void
  /** Its user typed or pasted something. */
  readonly userTyped: () => void
  /** There is no shell any more. */
  readonly shellEnded: () => void
  /** Why the present shell has not got its command; `null` when it has, or needs none. */
  readonly leftOut: Readonly<Ref<LeftOut | null>>
  /** Types what was left out. */
  readonly typeNow: () => void
  readonly dismiss: () => void
}

/**
 * Types a command into each new shell, once it waits for one: a login may ask for a password first, or show a
 * program, and those must not get it. It is typed, and no argument of a program: it may hold a token, and the
 * instance's other users can see arguments.
 */
export function createStartCommand({
  command,
  line,
  type,
}: {
  /** What is to be typed now; `null` for nothing. */
  readonly command: () => string | null
  readonly line: () => CommandLine
  /** Types it, with Enter. */
  readonly type: (command: string) => void
}): StartCommand {
  const leftOut = ref<LeftOut | null>(null)
  /** `begun`: in a session that may be an old one. */
  let phase: 'idle' | 'begun' | 'waiting' = 'idle'
  let isSession = false
  let wasFirst = false
  let quiet: ReturnType<typeof setTimeout> | undefined
  let patience: ReturnType<typeof setTimeout> | undefined

  function rest(): void {
    phase = 'idle'
    clearTimeout(quiet)
    clearTimeout(patience)
  }

  function leaveOut(why: LeftOut): void {
    rest()
    leftOut.value = command() === null ? null : why
  }

  function typeNow(): void {
    rest()
    leftOut.value = null
    const wanted = command()
    if (wanted !== null) type(wanted)
  }

  function afterPatience(done: () => void, ticks = patienceTicks): void {
    patience = setTimeout(() => (ticks === 1 ? done() : afterPatience(done, ticks - 1)), tickMs)
  }

  function wait(): void {
    if (wasFirst) return leaveOut('typed-first')
    phase = 'waiting'
    clearTimeout(patience)
    afterPatience(() => leaveOut('no-prompt'))
    wrote()
  }

  function wrote(): void {
    if (phase !== 'waiting') return
    clearTimeout(quiet)
    quiet = setTimeout(() => {
      if (isPrompt(line(), isSession)) typeNow()
    }, quietMs)
  }

  return {
    expectShell() {
      rest()
      leftOut.value = null
      wasFirst = false
    },
    shellBegan(wish) {
      isSession = wish.kind !== 'plain'
      if (!isSession) return wait()
      phase = 'begun'
      // Later a program may write whatever it likes, and nothing is made by it.
      afterPatience(rest)
    },
    sessionMade() {
      if (phase === 'begun') wait()
    },
    sessionMissing() {
      if (phase !== 'begun') return
      isSession = false
      wait()
    },
    wrote,
    userTyped() {
      wasFirst = true
      if (phase === 'waiting') leaveOut('typed-first')
      else rest()
    },
    shellEnded() {
      rest()
      leftOut.value = null
    },
    leftOut: readonly(leftOut),
    typeNow,
    dismiss() {
      leftOut.value = null
    },
  }
}

const promptEnd = /[$#%]$/
/** Before a `>`, shells have a place: a user, a host, or a folder. */
const place = /[@~/\\:]/
/** A number that isn't part of a name: a host's may end with one. */
const progress = /(?:^|[^\w-])\d+(?:[.,]\d+)?\s*%$/

/**
 * Whether a shell waits for a command there: it says so, or what stands before the cursor ends as prompts do. Progress
 * (`42%`), the rest of a command that isn't complete (`>`, `quote>`), and programs' own prompts (`mysql>`) aren't one.
 *
 * @param inSession tmux and screen have all of the screen themselves
 */
function isPrompt(line: CommandLine, inSession: boolean): boolean {
  if (line.isFullScreen && !inSession) return false
  const text = line.beforeCursor.trimEnd()
  const endsAsPrompt = promptEnd.test(text) || (text.endsWith('>') && place.test(text))
  return line.takesPastesAsText || (endsAsPrompt && !progress.test(text))
}

/** What a terminal's new shells get; `null` for nothing, also when it was removed meanwhile. */
export function startCommandOf(choice: StartChoice, snippets: readonly Snippet[]): Snippet | null {
  switch (choice.kind) {
    case 'default':
      return snippets.find(({ atStart }) => atStart) ?? null
    case 'none':
      return null
    case 'snippet':
      return snippets.find(({ id }) => id === choice.id) ?? null
    default:
      return assertNever(choice)
  }
}
