import type { PressedKey } from '#ui/pressed-key.ts'

interface Accelerator {
  readonly key: string
  readonly commandOrControl: boolean
  readonly alt: boolean
  readonly shift: boolean
}

/** Reads Electron's notation of keys, as far as `domain/workbench/app-commands.ts` uses it: `CommandOrControl+K`, `Alt+1`, `?`. */
function parse(accelerator: string): Accelerator {
  const parts = accelerator.split('+')
  return {
    key: parts.at(-1) ?? '',
    commandOrControl: parts.includes('CommandOrControl'),
    alt: parts.includes('Alt'),
    shift: parts.includes('Shift'),
  }
}

/** The keys as the platform writes them: `Ctrl`, `K`; on a Mac `⌘`, `K`. */
export function acceleratorWords(accelerator: string, mac: boolean): readonly string[] {
  const { key, commandOrControl, alt, shift } = parse(accelerator)
  return [
    ...(commandOrControl ? [mac ? '⌘' : 'Ctrl'] : []),
    ...(alt ? [mac ? '⌥' : 'Alt'] : []),
    ...(shift ? [mac ? '⇧' : 'Shift'] : []),
    key,
  ]
}

/** For `aria-keyshortcuts`: `Control+K`, on a Mac `Meta+K`. */
export function ariaKeys(accelerator: string, mac: boolean): string {
  return accelerator.replace('CommandOrControl', mac ? 'Meta' : 'Control')
}

/**
 * Whether a pressed key is that of an accelerator. Letters and digits are looked for by the key's place too: another
 * layout, or Alt on a Mac, types another character there.
 */
export function isPressed(accelerator: string, event: PressedKey, mac: boolean): boolean {
  const { key, commandOrControl, alt, shift } = parse(accelerator)
  const held = mac ? event.metaKey : event.ctrlKey
  const other = mac ? event.ctrlKey : event.metaKey
  if (held !== commandOrControl || other || event.altKey !== alt) return false
  // What takes Shift to be typed at all ("?") says so itself.
  if (/^[A-Z0-9,]$/.test(key) && event.shiftKey !== shift) return false
  return (
    event.key.toUpperCase() === key ||
    (/^[A-Z]$/.test(key) && event.code === `Key${key}`) ||
    (/^[0-9]$/.test(key) && event.code === `Digit${key}`)
  )
}
