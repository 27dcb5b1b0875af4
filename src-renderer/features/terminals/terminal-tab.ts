import {
  computed,
  effectScope,
  readonly,
  ref,
  shallowRef,
  watch,
  type ComputedRef,
  type Ref,
  type ShallowRef,
} from 'vue'
import { plainShell, type ShellWish } from '#domain/terminals/shell-wish.ts'
import type { SavedScreen, StartChoice } from '#domain/terminals/saved-terminals.ts'
import { client, openTerminalPort } from '#ipc/client.ts'
import { copyText } from './screen/copy-text.ts'
import { endText } from './state-words.ts'
import { createScreen, type TerminalScreen } from './screen/screen.ts'
import { createLocalLinks } from './ports/local-links.ts'
import { localLinkMeaning } from './ports/local-link-text.ts'
import { createTerminalLine, type LineState, type TerminalLine, type TerminalSize } from './terminal-line.ts'
import { shortcuts } from './shortcuts.ts'
import { createStartCommand, type StartCommand } from './start-command.ts'
import type { PageCommand } from './screen/terminal-keys.ts'
import { createNotes } from './terminal-notes.ts'
import { createQuestions, type ClipboardAnswers, type Questions } from './questions/terminal-questions.ts'
import { addressUse, cleanTitle } from './shell-text.ts'
import type { SharedInput } from './screen/typed-input.ts'
import { folderOfReport } from './working-place.ts'
import type { WriteScheduler } from './screen/write-scheduler.ts'

/** A terminal as the window keeps it: the line to main, the screen, and what the user has under way in it. */
export interface TerminalTab {
  /** Also the stem of its elements' ids. */
  readonly key: string
  readonly instanceId: number
  /** Tells apart the terminals of one instance; from 1. */
  readonly ordinal: number
  readonly line: TerminalLine
  readonly screen: TerminalScreen
  readonly title: ComputedRef<string>
  /** What the shell calls itself. */
  readonly shellTitle: Readonly<Ref<string | null>>
  /** What the user calls it; `null` leaves the word to the shell. */
  readonly name: Readonly<Ref<string | null>>
  /** Takes what is typed as it may be shown; nothing takes the name away. */
  readonly rename: (typed: string) => void
  /** What is to run in it. */
  readonly wish: Readonly<ShallowRef<ShellWish>>
  /** What does: a plain shell where the program of the session is missing. */
  readonly runs: ComputedRef<ShellWish>
  /** Connects anew, to what is to run in it from now on. */
  readonly runIn: (wish: ShellWish, start: StartChoice) => Promise<void>
  /** Which saved command its new shells get. */
  readonly start: Readonly<ShallowRef<StartChoice>>
  readonly startCommand: Pick<StartCommand, 'leftOut' | 'typeNow' | 'dismiss'>
  /** Where its shell is, as that has told; `null` when it has not. */
  readonly folder: Readonly<Ref<string | null>>
  readonly size: Readonly<ShallowRef<TerminalSize>>
  /** Something to say for the moment: what a click would open, whether a copy was made. */
  readonly note: Readonly<Ref<string | null>>
  readonly questions: Questions
  /** Pastes it, and presses Enter if it is to run at once. */
  readonly paste: (text: string, thenRuns?: boolean) => void
  /** Takes what was put into a terminal that shares it, if there is a shell for it. */
  readonly receive: (input: SharedInput) => void
  /** Whether the bar to search it is open. */
  readonly finding: Readonly<Ref<boolean>>
  readonly setFinding: (on: boolean) => void
  /** The bell rang while it was not shown. */
  readonly rang: Readonly<Ref<boolean>>
  readonly stopRinging: () => void
  /** `user@host:port` as far as it is known. */
  readonly place: Readonly<ShallowRef<string | null>>
  /** Opens the line unless that was done already. */
  readonly connect: () => void
  readonly reconnect: () => Promise<void>
  readonly dispose: () => Promise<void>
}

export interface TabOptions {
  readonly key: string
  readonly instanceId: number
  readonly ordinal: number
  readonly scheduler: WriteScheduler
  readonly clipboardAnswers: ClipboardAnswers
  readonly name: string | null
  readonly wish: ShellWish
  /** Where its shell begins; `null` for home. */
  readonly folder: string | null
  readonly start: StartChoice
  /** What a choice stands for now; `null` for nothing. */
  readonly commandOf: (choice: StartChoice) => string | null
  /** Of a terminal from the last time: its title and what it showed. It rests, unless it is to connect. */
  readonly former?: {
    readonly title: string | null
    readonly screen: SavedScreen | null
    readonly isSessionMissing: boolean
    readonly isResting: boolean
  }
  /** Its user typed or pasted something. */
  readonly shared: (tab: TerminalTab, input: SharedInput) => void
  /** Its shell told that a command ended, with its exit code if it told that. */
  readonly commandEnded: (tab: TerminalTab, code: number | null) => void
  /** Its screen shows something else than before. */
  readonly wrote: (tab: TerminalTab) => void
  /** What the terminal alone cannot do. */
  readonly commanded: (command: TabCommand) => void
}

/** A command that is about more than the terminal it was given in. */
export type TabCommand = Exclude<PageCommand, 'find' | 'leave'>

export function createTab(options: TabOptions): TerminalTab {
  const { key, instanceId, ordinal, former, scheduler, clipboardAnswers: answers } = options
  const shellTitle = ref(cleanTitle(former?.title ?? ''))
  const size = shallowRef<TerminalSize>({ cols: 80, rows: 24 })
  const name = ref(options.name)
  const wish = shallowRef(options.wish)
  /** What the machine cannot run, as it has told. */
  const missing = shallowRef(former?.isSessionMissing === true ? wish.value : null)
  const folder = ref(options.folder)
  const start = shallowRef(options.start)
  const finding = ref(false)
  const rang = ref(false)
  const { note, show: showNote, tell } = createNotes()
  const questions = createQuestions({ instanceId, answers, tell })
  const restored = former?.screen ?? null
  let shownAnything = restored !== null
  let newShellExpected = true
  function expectShell(): void {
    newShellExpected = true
    startCommand.expectShell()
  }

  const line = createTerminalLine({
    calls: client.terminals,
    openPort: openTerminalPort,
    instanceId,
    isResting: former?.isResting ?? false,
    start: () => ({ wish: wish.value, folder: folder.value }),
    show(bytes, taken) {
      // Only now: until it speaks, what the last shell left is what one wants to see.
      if (newShellExpected) {
        if (shownAnything) screen.beginNewShell()
        missing.value = null
        startCommand.shellBegan(wish.value)
      }
      newShellExpected = false
      shownAnything = true
      screen.push(bytes, taken)
    },
  })
  const screen = createScreen(scheduler, {
    input: line.input,
    shared(input) {
      startCommand.userTyped()
      options.shared(tab, input)
    },
    resized(wanted) {
      size.value = wanted
      line.resize(wanted)
    },
    titled: (title) => (shellTitle.value = title),
    folderTold(report) {
      const told = folderOfReport(report)
      if (told === null || told === folder.value) return
      folder.value = told
      line.tellFolder()
    },
    commandEnded: (code) => options.commandEnded(tab, code),
    sessionMissing() {
      missing.value = wish.value
      startCommand.sessionMissing()
    },
    sessionMade: () => startCommand.sessionMade(),
    pasteAsked: (text) => questions.ask({ kind: 'paste', text, thenRuns: false }),
    copyAsked: (text) =>
      void copyText(text).then((done) => tell(done ? 'Copied' : 'Couldn’t copy the selection')),
    commanded(command) {
      if (command === 'find') finding.value = true
      else if (command === 'leave') document.getElementById(`${key}-tab`)?.focus()
      else options.commanded(command)
    },
    clipboardWritten: questions.clipboardWritten,
    rang: () => (rang.value = !screen.isShown()),
    linkHovered: (address) => showNote(address === null ? null : linkNote(address, instanceId)),
    linkAsked: (address) => questions.ask({ kind: 'link', address }),
    localLinkFollowed: createLocalLinks({
      instanceId,
      isConnected: () => line.state.value.kind === 'open',
      ask(link, failure) {
        // The user may be about to answer another question by the time that it fails.
        if (failure !== null && questions.asked.value !== null) tell(failure.title)
        else questions.ask({ kind: 'local-link', link, failure })
      },
      tell,
    }),
    drained: line.drained,
    wrote() {
      startCommand.wrote()
      options.wrote(tab)
    },
  })
  const startCommand = createStartCommand({
    command: () => options.commandOf(start.value),
    line: screen.commandLine,
    type: screen.typeCommand,
  })
  if (restored) screen.restore(restored)

  const scope = effectScope(true)
  const place = shallowRef<string | null>(null)
  scope.run(() => {
    watch(
      line.state,
      (state) => {
        screen.setEnded(endText(state) !== null)
        if (state.kind === 'reconnecting') expectShell()
        else if (endText(state) !== null) startCommand.shellEnded()
        place.value = placeOf(state, place.value)
      },
      { immediate: true, flush: 'sync' },
    )
    watch(line.takesInput, screen.setTyping, { immediate: true, flush: 'sync' })
  })

  async function reconnect(): Promise<void> {
    const { kind } = line.state.value
    if (kind === 'not-opened' || kind === 'resting') return line.open(size.value)
    expectShell()
    await line.reconnect()
  }

  const tab: TerminalTab = {
    key,
    instanceId,
    ordinal,
    line,
    screen,
    title: computed(
      () => name.value ?? shellTitle.value ?? `Instance ${instanceId}${ordinal === 1 ? '' : ` (${ordinal})`}`,
    ),
    shellTitle: readonly(shellTitle),
    name: readonly(name),
    rename(typed) {
      name.value = cleanTitle(typed)
    },
    wish,
    runs: computed(() => (missing.value === wish.value ? plainShell : wish.value)),
    async runIn(wanted, wantedStart) {
      wish.value = wanted
      start.value = wantedStart
      await line.tellWish()
      await reconnect()
    },
    folder: readonly(folder),
    size,
    note,
    questions,
    start,
    startCommand,
    paste(text, thenRuns = false) {
      screen.paste(text)
      if (thenRuns) screen.pressEnter()
    },
    receive(input) {
      if (!line.takesInput.value) return
      startCommand.userTyped()
      screen.receive(input)
    },
    finding: readonly(finding),
    setFinding(on) {
      finding.value = on
      if (!on) screen.focus()
    },
    rang: readonly(rang),
    stopRinging() {
      rang.value = false
    },
    place,
    connect() {
      if (line.state.value.kind === 'preparing') void line.open(size.value)
    },
    reconnect,
    async dispose() {
      scope.stop()
      startCommand.shellEnded()
      screen.dispose()
      await line.close()
    },
  }
  return tab
}

/** The last address that was told, with the user once it is known: an ended shell keeps its place. */
function placeOf(state: LineState, before: string | null): string | null {
  if (!('address' in state) || state.address === null) return before
  const { host, port } = state.address
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  if (state.kind === 'open') return `${state.user}@${address}`
  return before?.endsWith(`@${address}`) ? before : address
}

/** What a click on it would do. */
function linkNote(address: string, instanceId: number): string | null {
  const use = addressUse(address)
  switch (use.kind) {
    case 'none':
      return null
    case 'local':
      return `${shortcuts.click}: ${localLinkMeaning(use.port, instanceId)}`
    default:
      return `${shortcuts.click} opens ${use.href}`
  }
}
