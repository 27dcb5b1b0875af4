import { SerializeAddon } from '@xterm/addon-serialize'
import type { IBuffer, Terminal } from '@xterm/xterm'
import { longestSavedScreen, type SavedScreen } from '#domain/terminals/saved-terminals.ts'

/** Lines above and on the screen: reading them takes some 20 ms, and nobody scrolls back further to remember. */
const mostKeptLines = 2_000

/** Reads what a terminal shows, with its colors; not what a full-screen program shows, which is gone with it. */
export type ScreenMemory = () => SavedScreen

export function createScreenMemory(terminal: Terminal): ScreenMemory {
  const addon = new SerializeAddon()
  terminal.loadAddon(addon)
  return () => {
    const { cols, rows } = terminal
    const end = lastWrittenLine(terminal.buffer.normal)
    const read = (lines: number): string => {
      if (end < 0 || lines < 1) return ''
      const range = { start: Math.max(0, end - lines + 1), end }
      const text = addon.serialize({ range, excludeModes: true, excludeAltBuffer: true })
      return text.length <= longestSavedScreen ? text : read(Math.floor(lines / 2))
    }
    return { cols, rows, text: read(mostKeptLines) }
  }
}

function lastWrittenLine(buffer: IBuffer): number {
  let line = buffer.length - 1
  while (line >= 0 && buffer.getLine(line)?.translateToString(true) === '') line -= 1
  return line
}
