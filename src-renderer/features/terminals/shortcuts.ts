import { isMac } from '#ui/platform.ts'
import { letterOf, type LetterCommand } from './screen/terminal-keys.ts'

/** A shortcut's keys as the platform writes them. */
export interface ShortcutWords {
  /** `Ctrl`, `Shift`, `D`; on a Mac `⌘`, `D`. */
  readonly of: (command: LetterCommand) => readonly string[]
  /** Moves a tab among its neighbors, with the keyboard on the tab. */
  readonly move: (arrow: '←' | '→') => readonly string[]
  /** The same in a sentence: `Ctrl+Shift+D`, `⌘D`. */
  readonly text: (command: LetterCommand) => string
  /** The keys that leave a terminal, in a sentence. */
  readonly leave: string
  /** Held while a link is clicked. */
  readonly click: string
}

export function shortcutWords(mac: boolean): ShortcutWords {
  const held = mac ? ['⌘'] : ['Ctrl', 'Shift']
  const of: ShortcutWords['of'] = (command) => [...held, letterOf(command)]
  return {
    of,
    move: (arrow) => (mac ? ['⌘', '⇧', arrow] : ['Ctrl', 'Shift', arrow]),
    text: (command) => of(command).join(mac ? '' : '+'),
    leave: mac ? '⌃⇧Tab' : 'Ctrl+Shift+Tab',
    click: mac ? '⌘-click' : 'Ctrl+click',
  }
}

/** As this computer writes them. */
export const shortcuts = shortcutWords(isMac)
