import '@xterm/xterm/css/xterm.css'
import './xterm.css'
import { ClipboardAddon } from '@xterm/addon-clipboard'
import { Terminal } from '@xterm/xterm'
import { defaultTerminalSettings, type TerminalSettings } from '#domain/terminals/terminal-settings.ts'
import { terminalFont } from '#shared/terminals/terminal-font.ts'
import { boundScreen } from './screen-bounds.ts'
import { findLinks, linkHandler, type LinkEvents } from './terminal-links.ts'
import { readTerminalTheme } from './terminal-theme.ts'

/** The longest text that a machine may put into the clipboard, in UTF-16 units. */
const longestCopied = 1_000_000

export interface XtermEvents extends LinkEvents {
  /** A program on the machine wants to put this into the clipboard. */
  readonly clipboardWritten: (text: string) => void
}

/**
 * Makes an xterm.js terminal as Slipway wants it: legible, still, and with nothing that a remote program
 * could do outside its own screen without being let.
 */
export function createXterm(events: XtermEvents): Terminal {
  const terminal = new Terminal({
    // For the addons: the width of emoji and of combined characters, the marks of what was found.
    allowProposedApi: true,
    cursorBlink: false,
    cursorInactiveStyle: 'outline',
    // More would part the lines that programs draw from row to row; the font has air of its own.
    lineHeight: 1,
    linkHandler: linkHandler(events),
    // It would write a line for each sequence that it does not know: a flood of garbage is slow enough.
    logLevel: 'off',
    minimumContrastRatio: 4.5,
    ...settingsOptions(defaultTerminalSettings),
    theme: readTerminalTheme(false),
  })
  boundScreen(terminal)
  findLinks(terminal, events)
  hearClipboard(terminal, events.clipboardWritten)
  return terminal
}

/**
 * OSC 52, by which a program on the machine writes the clipboard (tmux and vim do). It is written only after
 * the user agreed; `written` asks. What is in the clipboard is never told: a machine that others run could
 * read passwords there.
 */
function hearClipboard(terminal: Terminal, written: (text: string) => void): void {
  terminal.loadAddon(
    new ClipboardAddon(undefined, {
      readText: () => '',
      writeText(_selection, text) {
        // Empty is also what the addon makes of what is not base64.
        if (text !== '' && text.length <= longestCopied) written(text)
      },
    }),
  )
  // The newest handler is asked first: a question gets no answer, not even an empty one.
  terminal.parser.registerOscHandler(52, (data) => /;\?\s*$/u.test(data.slice(0, 100)))
}

/** The user's settings in xterm.js's own words. */
export function settingsOptions({ fontFamily, fontSize, cursor, scrollbackLines }: TerminalSettings) {
  return {
    fontFamily: terminalFont(fontFamily),
    fontSize,
    cursorStyle: cursor,
    scrollback: scrollbackLines,
  } as const
}

/**
 * What a new shell must find after another one died: no half-received sequence, no alternate screen, no mouse
 * reports or other modes. What was written stays.
 */
export function betweenShells(terminal: Terminal): string {
  const alternate = terminal.buffer.active.type === 'alternate' ? '\x1b[?1049l' : ''
  return `\x18${alternate}\x1b[?1000l\x1b[?1006l\x1b[?2026l\x1b[!p\r\n\x1b[90m── new shell ──\x1b[0m\r\n`
}
