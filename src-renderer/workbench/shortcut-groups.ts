import { appCommands } from '#domain/workbench/app-commands.ts'
import { shortcutWords } from '../features/terminals/shortcuts.ts'
import { acceleratorWords } from './accelerator.ts'
import { paletteKeysOverTerminal } from './workbench-keys.ts'

interface Shortcut {
  readonly what: string
  /** As the platform writes them. */
  readonly keys: readonly string[]
}

interface ShortcutGroup {
  readonly title: string
  readonly shortcuts: readonly Shortcut[]
}

/** All keys of the window. Those of commands and terminals come from the tables that the keys are looked up in. */
export function shortcutGroups(mac: boolean): readonly ShortcutGroup[] {
  const terminal = shortcutWords(mac)
  const [ctrl, alt, shift] = mac ? ['⌘', '⌥', '⇧'] : ['Ctrl', 'Alt', 'Shift']
  const [paletteOverTerminal = ''] = paletteKeysOverTerminal
  return [
    {
      title: 'Everywhere',
      shortcuts: [
        ...appCommands.flatMap(({ label, accelerators = [] }) =>
          accelerators.map((keys) => ({ what: label, keys: acceleratorWords(keys, mac) })),
        ),
        ...(mac
          ? []
          : [{ what: 'Go to, from a terminal', keys: acceleratorWords(paletteOverTerminal, mac) }]),
        { what: 'Switch to an account', keys: [alt, shift, '1–9'] },
      ],
    },
    {
      title: 'In terminals',
      shortcuts: [
        { what: 'Find', keys: terminal.of('find') },
        { what: 'Copy', keys: terminal.of('copy') },
        { what: 'Paste', keys: terminal.of('paste') },
        { what: 'Duplicate', keys: terminal.of('duplicate') },
        { what: 'Split right', keys: terminal.of('split-row') },
        { what: 'Split down', keys: terminal.of('split-column') },
        { what: 'Next split', keys: terminal.of('next-group') },
        { what: 'Move to the next split', keys: terminal.of('move-to-next-group') },
        { what: 'Insert saved command', keys: terminal.of('insert-snippet') },
        { what: 'Broadcast typing', keys: terminal.of('broadcast') },
        { what: 'Close', keys: terminal.of('close') },
        { what: 'Reopen last closed terminal', keys: terminal.of('reopen') },
        { what: 'Open a link', keys: [terminal.click] },
        {
          what: 'Leave the terminal',
          keys: mac ? ['⌃', '⇧', 'Tab'] : ['Ctrl', 'Shift', 'Tab'],
        },
      ],
    },
    {
      title: 'On a terminal’s tab',
      shortcuts: [
        { what: 'Next tab', keys: ['←', '→'] },
        { what: 'Move', keys: terminal.move('→') },
        { what: 'Rename', keys: ['F2'] },
        { what: 'Close', keys: ['Del'] },
      ],
    },
    {
      title: 'In lists',
      shortcuts: [
        { what: 'Open, rent', keys: ['Enter'] },
        { what: 'Select', keys: ['Space'] },
        { what: 'Extend selection', keys: [shift, '↓'] },
        { what: 'Select all', keys: [ctrl, 'A'] },
        { what: 'Clear selection', keys: ['Esc'] },
        { what: 'Favorite, on an offer', keys: ['F'] },
        { what: 'Move a column, on its header', keys: [alt, '→'] },
        { what: 'Widen a column, on its header', keys: [shift, '→'] },
      ],
    },
    {
      title: 'In a search',
      shortcuts: [
        { what: 'Undo', keys: [ctrl, 'Z'] },
        { what: 'Redo', keys: [ctrl, shift, 'Z'] },
      ],
    },
    {
      title: 'In files',
      shortcuts: [
        { what: 'Open', keys: ['Enter'] },
        { what: 'Go to a name', keys: ['A–Z'] },
        { what: 'Move without selecting', keys: [ctrl, '↓'] },
        { what: 'Parent folder', keys: ['Backspace'] },
        { what: 'Back', keys: [alt, '←'] },
        { what: 'Forward', keys: [alt, '→'] },
        { what: 'Rename', keys: ['F2'] },
        { what: 'Open with my editor', keys: ['F4'] },
        { what: 'Copy to the other side', keys: ['F5'] },
        { what: 'Go to the other side', keys: ['F6'] },
        { what: 'Calculate size', keys: [alt, 'Enter'] },
        { what: 'Delete', keys: mac ? ['⌘', '⌫'] : ['Del'] },
        { what: 'Menu', keys: [shift, 'F10'] },
      ],
    },
    { title: 'Running a command', shortcuts: [{ what: 'Run', keys: [ctrl, 'Enter'] }] },
  ]
}
