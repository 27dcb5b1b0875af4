import type { PressedKey } from '#ui/pressed-key.ts'

/** What has the keyboard: text fields take characters, and a terminal takes everything that a shell may want. */
export type KeyPlace = 'terminal' | 'field' | 'page'

export type FrameCommand = 'palette' | 'shortcuts'

/**
 * What a key asks of the window's frame; `null` when it is for what has the keyboard. Ctrl+K belongs to a shell
 * (it removes the rest of a line), so in a terminal it takes Ctrl+Shift+K; a Mac's Command key is no shell's.
 */
export function frameCommand(event: PressedKey, place: KeyPlace, mac: boolean): FrameCommand | null {
  if (event.altKey) return null
  if (event.key.toLowerCase() === 'k' || event.code === 'KeyK') {
    const held = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
    return held && (mac || event.shiftKey || place !== 'terminal') ? 'palette' : null
  }
  const isPlain = !event.ctrlKey && !event.metaKey
  return event.key === '?' && isPlain && place === 'page' ? 'shortcuts' : null
}

/** Where a key was pressed. */
export function keyPlaceOf(target: EventTarget | null): KeyPlace {
  if (!(target instanceof Element)) return 'page'
  if (target.closest('.xterm')) return 'terminal'
  return target.closest('input, textarea, select, [contenteditable]') ? 'field' : 'page'
}
