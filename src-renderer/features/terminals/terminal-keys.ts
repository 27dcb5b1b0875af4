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
  | 'broadcast'
  | 'reopen'
  | 'close'
  | 'leave'

interface Key {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
}

const letters: Readonly<Record<string, TerminalCommand>> = {
  c: 'copy',
  v: 'paste',
  f: 'find',
  d: 'duplicate',
  t: 'reopen',
  e: 'split-row',
  o: 'split-column',
  n: 'next-group',
  b: 'broadcast',
  w: 'close',
}

/** What a key is for; `null` when it belongs to the shell. On a Mac the Command key takes the place of Ctrl+Shift. */
export function terminalCommand(key: Key, mac: boolean): TerminalCommand | null {
  if (key.altKey) return null
  if (key.key === 'Tab') return key.ctrlKey && key.shiftKey && !key.metaKey ? 'leave' : null
  const held = mac ? key.metaKey && !key.ctrlKey : key.ctrlKey && key.shiftKey && !key.metaKey
  return held ? (letters[latinLetter(key)] ?? null) : null
}

/** The letter on the key, also with a layout that writes another script. */
function latinLetter({ key, code }: Key): string {
  const written = key.toLowerCase()
  return /^[a-z]$/.test(written) ? written : code.replace(/^Key/, '').toLowerCase()
}

/** As it is told to the user. */
export const keysToLeave = 'Ctrl+Shift+Tab'
