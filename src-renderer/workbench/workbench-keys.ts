import { appCommand, appCommands, type AppCommandId } from '#domain/workbench/app-commands.ts'
import type { PressedKey } from '#ui/pressed-key.ts'
import { isPressed } from './accelerator.ts'

/** What has the keyboard: text fields take characters, and a terminal takes everything that a shell may want. */
export type KeyPlace = 'terminal' | 'field' | 'page'

const paletteKeys = appCommand('palette').accelerators ?? []
/** Ctrl+K belongs to a shell (it removes the rest of a line), so over a terminal the palette takes Shift as well. */
export const paletteKeysOverTerminal = paletteKeys.map((keys) => keys.replace('+K', '+Shift+K'))

/**
 * Which command a key asks for; `null` when it is for what has the keyboard. A terminal keeps all but what no shell
 * can mean: Ctrl+Shift+K, and what a Mac's Command key is held for.
 */
export function workbenchCommand(event: PressedKey, place: KeyPlace, mac: boolean): AppCommandId | null {
  if (paletteKeysOverTerminal.some((keys) => isPressed(keys, event, mac))) return 'palette'
  const found = appCommands.find(({ accelerators = [] }) =>
    accelerators.some((keys) => isAllowed(keys, place, mac) && isPressed(keys, event, mac)),
  )
  return found?.id ?? null
}

function isAllowed(keys: string, place: KeyPlace, mac: boolean): boolean {
  if (place === 'terminal') return mac && keys.startsWith('CommandOrControl+')
  // With Option a Mac types characters, "[" among them on many keyboards.
  return place === 'page' || (keys.includes('+') && !(mac && keys.startsWith('Alt+')))
}

/** Where a key was pressed. */
export function keyPlaceOf(target: EventTarget | null): KeyPlace {
  if (!(target instanceof Element)) return 'page'
  if (target.closest('.xterm')) return 'terminal'
  return target.closest('input, textarea, select, [contenteditable]') ? 'field' : 'page'
}
