import '@xterm/xterm/css/xterm.css'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { Terminal } from '@xterm/xterm'
import { openableAddress } from './shell-text.ts'
import { terminalFont, terminalFontSize } from './terminal-fonts.ts'
import { readTerminalTheme } from './terminal-theme.ts'

/** About 8 MB when full; ten times as many lines would halve the speed of the DOM renderer. */
const scrollbackLines = 5_000

/** https only, and no punctuation that belongs to the sentence around it. */
const webAddress = /https:\/\/[^\s"'!*(){}|\\^<>`]*[^\s"':,.!?{}|\\^~[\]`()<>]/

/**
 * Makes an xterm.js terminal as Slipway wants it: legible, still, and with nothing that a remote program
 * could do outside its own screen.
 *
 * @param linkHovered the address under the mouse: a link's text may say something else
 */
export function createXterm(linkHovered: (address: string | null) => void): Terminal {
  const follow = (event: MouseEvent, address: string): void => {
    const target = openableAddress(address)
    // Main refuses the window and opens the address in the system's browser.
    if (target !== null && (event.ctrlKey || event.metaKey)) window.open(target, '_blank', 'noopener')
  }
  const links = {
    hover: (_event: MouseEvent, address: string) => linkHovered(openableAddress(address)),
    leave: () => linkHovered(null),
  }
  const terminal = new Terminal({
    // For the addon below: the width of emoji and of combined characters.
    allowProposedApi: true,
    cursorBlink: false,
    cursorInactiveStyle: 'outline',
    fontFamily: terminalFont,
    fontSize: terminalFontSize,
    lineHeight: 1.2,
    linkHandler: { activate: follow, ...links },
    minimumContrastRatio: 4.5,
    scrollback: scrollbackLines,
    theme: readTerminalTheme(false),
  })
  terminal.loadAddon(new UnicodeGraphemesAddon())
  terminal.loadAddon(new WebLinksAddon(follow, { ...links, urlRegex: webAddress }))
  // OSC 52 reads and writes the clipboard: a machine that others run gets neither.
  terminal.parser.registerOscHandler(52, () => true)
  return terminal
}

/**
 * What a new shell must find after another one died: no half-received sequence, no alternate screen, no mouse
 * reports or other modes. What was written stays.
 */
export function betweenShells(terminal: Terminal): string {
  const alternate = terminal.buffer.active.type === 'alternate' ? '\x1b[?1049l' : ''
  return `\x18${alternate}\x1b[?1000l\x1b[?1006l\x1b[?2026l\x1b[!p\r\n\x1b[90m── new shell ──\x1b[0m\r\n`
}
