import type { Terminal } from '@xterm/xterm'

/** Resolves after the frame in which it holds. */
export function drawn(terminal: Terminal, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): boolean => {
      if (!holds()) return false
      watch.dispose()
      resolve()
      return true
    }
    const watch = terminal.onRender(() => look())
    look()
  })
}

/** The line that the cursor is on, up to the cursor. */
export function cursorLine({ buffer: { active } }: Terminal): string {
  return active.getLine(active.baseY + active.cursorY)?.translateToString(false, 0, active.cursorX) ?? ''
}

/** Whether one of the lines that end the screen's text has it. */
export function hasText({ buffer: { active }, rows }: Terminal, text: string): boolean {
  for (let line = active.baseY; line < active.baseY + rows; line += 1)
    if (active.getLine(line)?.translateToString(true).includes(text)) return true
  return false
}

export function isAtPrompt(terminal: Terminal): boolean {
  return /^ready-\d+> $/.test(cursorLine(terminal))
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
