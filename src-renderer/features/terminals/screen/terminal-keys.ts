import type { PressedKey } from '#ui/pressed-key.ts'

/**
 * The few keys that the terminal keeps for itself. All else belongs to the shell: no terminal sends a code of
 * its own for Ctrl+Shift with a letter, so that nothing is taken from it.
 */
export type TerminalCommand = 'copy' | 'paste' | PageCommand

/** What the page around the terminal does. */
export type PageCommand =
  | 'find'
  | 'duplicate'
  | 'split-row'
  | 'split-column'
  | 'next-group'
  | 'move-to-next-group'
  | 'broadcast'
  | 'insert-snippet'
  | 'reopen'
  | 'close'
  | 'leave'

export type LetterCommand = Exclude<TerminalCommand, 'leave'>

/** None is a letter that a Mac's own menu takes with the Command key, but W, for what is in front. */
const letters: Readonly<Record<string, LetterCommand>> = {
  c: 'copy',
  v: 'paste',
  f: 'find',
  d: 'duplicate',
  t: 'reopen',
  e: 'split-row',
  o: 'split-column',
  n: 'next-group',
  g: 'move-to-next-group',
  b: 'broadcast',
  s: 'insert-snippet',
  w: 'close',
}

/** The letter of a command, as it stands on the key. */
export function letterOf(command: LetterCommand): string {
  const [letter = ''] = Object.entries(letters).find(([, one]) => one === command) ?? []
  return letter.toUpperCase()
}

/** What a key is for; `null` when it belongs to the shell. On a Mac the Command key takes the place of Ctrl+Shift. */
export function terminalCommand(key: PressedKey, mac: boolean): TerminalCommand | null {
  if (key.altKey) return null
  if (key.key === 'Tab') return key.ctrlKey && key.shiftKey && !key.metaKey ? 'leave' : null
  const held = mac ? key.metaKey && !key.ctrlKey : key.ctrlKey && key.shiftKey && !key.metaKey
  return held ? (letters[latinLetter(key)] ?? null) : null
}

/** The letter on the key, also with a layout that writes another script. */
function latinLetter({ key, code }: PressedKey): string {
  const written = key.toLowerCase()
  return /^[a-z]$/.test(written) ? written : code.replace(/^Key/, '').toLowerCase()
}
