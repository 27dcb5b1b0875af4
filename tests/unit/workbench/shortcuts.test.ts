import { describe, expect, test } from 'vitest'
import { appCommands } from '#domain/workbench/app-commands.ts'
import { terminalCommand } from '../../../src-renderer/features/terminals/screen/terminal-keys.ts'
import { workbenchCommand } from '../../../src-renderer/workbench/workbench-keys.ts'
import { shortcutGroups } from '../../../src-renderer/workbench/shortcut-groups.ts'
import type { PressedKey } from '#ui/pressed-key.ts'

/** The key as it is told, from how a sheet writes it. */
function pressed(keys: readonly string[]): PressedKey {
  const key = keys.at(-1) ?? ''
  const has = (...names: readonly string[]): boolean => names.some((name) => keys.includes(name))
  return {
    key: key.length === 1 ? key.toLowerCase() : key,
    code: /^[A-Z]$/.test(key) ? `Key${key}` : /^\d$/.test(key) ? `Digit${key}` : '',
    ctrlKey: has('Ctrl', '⌃'),
    shiftKey: has('Shift', '⇧'),
    altKey: has('Alt', '⌥'),
    metaKey: has('⌘'),
  }
}

describe.each([
  ['Linux and Windows', false],
  ['a Mac', true],
])('the keys on %s', (_, mac) => {
  const [everywhere, terminals] = shortcutGroups(mac)

  test('what the sheet says of the frame is what its keys do', () => {
    const keysOf = (name: string) =>
      (everywhere?.shortcuts ?? []).flatMap(({ what, keys }) => (what === name ? [keys] : []))
    for (const { id, label, accelerators = [] } of appCommands) {
      expect(keysOf(label), label).toHaveLength(accelerators.length)
      for (const keys of keysOf(label)) expect(workbenchCommand(pressed(keys), 'page', mac)).toBe(id)
    }
    const [fromTerminal = []] = keysOf(mac ? 'Go to' : 'Go to, from a terminal')
    expect(workbenchCommand(pressed(fromTerminal), 'terminal', mac)).toBe('palette')
  })

  test('what the sheet says of terminals reaches the terminal, and is nothing else’s', () => {
    const letters = terminals?.shortcuts.filter(({ keys }) => /^[A-Z]$/.test(keys.at(-1) ?? '')) ?? []
    expect(letters.length).toBeGreaterThan(8)
    for (const { what, keys } of letters) {
      expect(terminalCommand(pressed(keys), mac), what).not.toBeNull()
      expect(workbenchCommand(pressed(keys), 'terminal', mac), what).toBeNull()
    }
  })

  test('over a terminal the frame takes nothing that a shell can mean', () => {
    const shells = ['k', 'K', ',', '1', '9', '?'].flatMap((key) =>
      [[], ['Ctrl'], ['Alt'], ['Alt', 'Shift'], ['Ctrl', 'Alt']].map((held) => [...held, key]),
    )
    for (const keys of shells)
      expect(workbenchCommand(pressed(keys), 'terminal', mac), keys.join('+')).toBeNull()
  })
})
