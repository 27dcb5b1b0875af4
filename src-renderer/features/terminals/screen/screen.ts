import { FitAddon } from '@xterm/addon-fit'
import { sessionMadeOsc, sessionMissingOsc } from '#domain/terminals/shell-wish.ts'
import type { SavedScreen } from '#domain/terminals/saved-terminals.ts'
import type { TerminalSettings } from '#domain/terminals/terminal-settings.ts'
import { terminalFont } from '#shared/terminals/terminal-font.ts'
import { isMac } from '#ui/platform.ts'
import { boundMeasuring } from './glyph-widths.ts'
import { createScreenFind, type ScreenFind } from './screen-find.ts'
import { createScreenMemory, type ScreenMemory } from './screen-memory.ts'
import { cleanPaste, cleanTitle, commandEndOf, needsQuestion } from '../shell-text.ts'
import { terminalCommand, type PageCommand } from './terminal-keys.ts'
import type { CommandLine } from '../start-command.ts'
import type { TerminalSize } from '../terminal-line.ts'
import { readTerminalTheme, watchTheme } from './terminal-theme.ts'
import { isReport, keyFor, type SharedInput } from './typed-input.ts'
import { drawOnGpu, hasRealGpu } from './webgl-renderer.ts'
import type { QueuedScreen, WriteScheduler } from './write-scheduler.ts'
import { drawIn } from './xterm-drawing.ts'
import { betweenShells, createXterm, settingsOptions, type XtermEvents } from './xterm.ts'

/** Smaller than this, in CSS pixels, is a container that is not laid out yet. */
const leastWidth = 40
const enter = '\r'

export interface ScreenEvents extends XtermEvents {
  readonly input: (data: string) => void
  /** Its user typed or pasted this, for others that share it: their shells get no reports of this screen. */
  readonly shared: (input: SharedInput) => void
  readonly resized: (size: TerminalSize) => void
  readonly titled: (title: string | null) => void
  /** Text that may run, or hides something, was pasted and waits for the user's word; then `paste` it. */
  readonly pasteAsked: (text: string) => void
  readonly copyAsked: (text: string) => void
  /** A key was pressed that is for the page around the terminal. */
  readonly commanded: (command: PageCommand) => void
  /** What the shell says about where it is (OSC 7), as it came. */
  readonly folderTold: (report: string) => void
  /** The shell told that a command ended (OSC 133;D), the newest of what was parsed together. */
  readonly commandEnded: (code: number | null) => void
  /** The shell is a plain one, as the program of its session is missing. */
  readonly sessionMissing: () => void
  /** The shell's session is a new one. */
  readonly sessionMade: () => void
  readonly rang: () => void
  /** A shell wrote on it. */
  readonly wrote: () => void
  /** All that was pushed has been taken. */
  readonly drained: () => void
}

/** A terminal's screen and keyboard. It lives on, with its content, while no page shows it. */
export interface TerminalScreen {
  readonly push: QueuedScreen['push']
  readonly size: () => TerminalSize
  /** Shows it in `container`; resolves when it has the container's size. */
  readonly attach: (container: HTMLElement) => Promise<void>
  /** Takes it out of `container`, unless it is shown elsewhere by now. */
  readonly detach: (container: HTMLElement | undefined) => void
  readonly isShown: () => boolean
  readonly fit: () => void
  /** Gives it the keyboard, now or as soon as it is shown. */
  readonly focus: () => void
  readonly paste: (text: string) => void
  /** Presses Enter, as its user does. */
  readonly pressEnter: () => void
  /** Types a command, with Enter, for this shell alone. */
  readonly typeCommand: (command: string) => void
  readonly commandLine: () => CommandLine
  /** Takes what was put into a terminal that shares it. */
  readonly receive: (input: SharedInput) => void
  readonly selection: () => string
  readonly find: ScreenFind
  /** Whether keys go to a shell. */
  readonly setTyping: (on: boolean) => void
  /** Grays it: there is no shell any more, and what it wrote stays readable. */
  readonly setEnded: (on: boolean) => void
  readonly setSettings: (settings: TerminalSettings) => void
  /** Keeps the rows as text for a screen reader, at a price in speed. */
  readonly setScreenReader: (on: boolean) => void
  /** Makes the screen ready for another shell; what is on it stays. */
  readonly beginNewShell: () => void
  /** What it shows, to be kept. */
  readonly memory: ScreenMemory
  /** Shows again what it showed, before any shell writes. */
  readonly restore: (kept: SavedScreen) => void
  readonly dispose: () => void
}

export function createScreen(scheduler: WriteScheduler, events: ScreenEvents): TerminalScreen {
  const terminal = createXterm(events)
  const fitting = new FitAddon()
  terminal.loadAddon(fitting)
  const find = createScreenFind(terminal)
  const memory = createScreenMemory(terminal)
  const host = document.createElement('div')
  host.className = 'size-full'
  const queue = scheduler.addScreen({
    write: (bytes, done) => terminal.write(bytes, done),
    drained: events.drained,
  })
  queue.setPriority('hidden')
  let leaveGpu: (() => void) | undefined
  let shown: HTMLElement | undefined
  let ended = false
  let focusWanted = false
  let restoring = 0
  /** What goes to the shell now is told to those that share it by whoever does it, or by nobody. */
  let pasting = false

  terminal.onData((data) => {
    if (!isReport(data)) queue.typed()
    events.input(data)
    if (!pasting && !isReport(data)) events.shared({ kind: 'typed', data })
  })
  terminal.onBinary(events.input)
  terminal.onResize(({ cols, rows }) => events.resized({ cols, rows }))
  terminal.onBell(events.rang)
  let commandEnd: { readonly code: number | null } | null = null
  terminal.onWriteParsed(() => {
    if (restoring === 0) events.wrote()
    if (commandEnd !== null) events.commandEnded(commandEnd.code)
    commandEnd = null
  })
  terminal.parser.registerOscHandler(133, (mark) => {
    // Told together: whatever runs there may send a flood of them.
    if (restoring === 0) commandEnd = commandEndOf(mark) ?? commandEnd
    return true
  })
  terminal.parser.registerOscHandler(7, (report) => {
    if (restoring === 0) events.folderTold(report)
    return true
  })
  terminal.parser.registerOscHandler(sessionMissingOsc, () => {
    if (restoring === 0) events.sessionMissing()
    return true
  })
  terminal.parser.registerOscHandler(sessionMadeOsc, () => {
    if (restoring === 0) events.sessionMade()
    return true
  })
  terminal.onTitleChange((raw) => events.titled(cleanTitle(raw)))
  const color = (): void => {
    terminal.options.theme = readTerminalTheme(ended)
  }
  const stopTheme = watchTheme(() => {
    color()
    find.recolor()
  })

  terminal.attachCustomKeyEventHandler((event) => {
    const command = terminalCommand(event, isMac)
    if (command === null) return true
    // A paste is the browser's own: it ends in the paste event below.
    if (command !== 'paste') event.preventDefault()
    if (event.type === 'keydown') {
      if (command !== 'copy' && command !== 'paste') events.commanded(command)
      else if (command === 'copy' && terminal.hasSelection()) events.copyAsked(terminal.getSelection())
    }
    return false
  })

  function paste(text: string): void {
    pasting = true
    terminal.paste(cleanPaste(text))
    pasting = false
  }

  function pasteShared(text: string): void {
    paste(text)
    events.shared({ kind: 'pasted', text })
  }

  host.addEventListener(
    'paste',
    (event) => {
      event.preventDefault()
      event.stopPropagation()
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (text === '' || terminal.options.disableStdin) return
      if (needsQuestion(text)) events.pasteAsked(text)
      else pasteShared(text)
    },
    { capture: true },
  )
  host.addEventListener('focusin', () => queue.setPriority('focused'))
  host.addEventListener('focusout', () => queue.setPriority(shown ? 'visible' : 'hidden'))

  function fit(): void {
    if (shown && shown.clientWidth >= leastWidth) fitting.fit()
  }

  async function attach(container: HTMLElement): Promise<void> {
    shown = container
    await terminalFontReady()
    if (shown !== container) return
    container.append(host)
    if (terminal.element) terminal.refresh(0, terminal.rows - 1)
    else {
      terminal.open(host)
      boundMeasuring(terminal)
      drawIn(terminal, queue.frames)
    }
    queue.setPriority('visible')
    if (hasRealGpu()) leaveGpu ??= drawOnGpu(terminal)
    fit()
    if (focusWanted) focus()
  }

  function focus(): void {
    focusWanted = !shown?.contains(host)
    if (!focusWanted) terminal.focus()
  }

  function detach(container: HTMLElement | undefined): void {
    if (container !== shown) return
    shown = undefined
    focusWanted = false
    leaveGpu?.()
    leaveGpu = undefined
    queue.setPriority('hidden')
    host.remove()
  }

  return {
    push: queue.push,
    size: () => ({ cols: terminal.cols, rows: terminal.rows }),
    attach,
    detach,
    isShown: () => shown !== undefined,
    fit,
    focus,
    paste: pasteShared,
    pressEnter: () => terminal.input(enter),
    typeCommand(command) {
      paste(command)
      pasting = true
      terminal.input(enter)
      pasting = false
    },
    commandLine() {
      const { active } = terminal.buffer
      const row = active.getLine(active.baseY + active.cursorY)
      return {
        isFullScreen: active.type === 'alternate',
        takesPastesAsText: terminal.modes.bracketedPasteMode,
        beforeCursor: row?.translateToString(false, 0, active.cursorX) ?? '',
      }
    },
    receive(input) {
      queue.typed()
      if (input.kind === 'pasted') paste(input.text)
      else events.input(keyFor(input.data, terminal.modes.applicationCursorKeysMode))
    },
    selection: () => terminal.getSelection(),
    find,
    setTyping(on) {
      terminal.options.disableStdin = !on
    },
    setEnded(on) {
      if (on === ended) return
      ended = on
      host.style.filter = on ? 'grayscale(1)' : ''
      color()
    },
    setSettings(settings) {
      Object.assign(terminal.options, settingsOptions(settings))
      fit()
    },
    setScreenReader(on) {
      terminal.options.screenReaderMode = on
    },
    beginNewShell() {
      queue.push(new TextEncoder().encode(betweenShells(terminal)), () => {})
    },
    memory,
    restore(kept) {
      const bytes = new TextEncoder().encode(`${kept.text}\x1b[0m\r\n`)
      restoring += bytes.length
      terminal.resize(kept.cols, kept.rows)
      queue.push(bytes, (taken) => {
        restoring -= taken
      })
    },
    dispose() {
      detach(shown)
      stopTheme()
      queue.dispose()
      terminal.dispose()
    },
  }
}

const fontPatienceMs = 2_000

let loading: Promise<void> | undefined

/** Resolves when the bundled font can be measured; a font that does not come holds nothing up. */
export function terminalFontReady(): Promise<void> {
  loading ??= Promise.race([
    Promise.allSettled([400, 700].map((weight) => document.fonts.load(`${weight} 13px ${terminalFont('')}`))),
    new Promise((resolve) => {
      setTimeout(resolve, fontPatienceMs)
    }),
  ]).then(() => undefined)
  return loading
}
