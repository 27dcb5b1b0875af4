/** What a key does in a list of files, besides going through it and selecting. */
export type FileKey =
  'open' | 'up' | 'back' | 'forward' | 'rename' | 'remove' | 'edit' | 'copy' | 'measure' | 'other-pane'

type Pressed = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

const plain: Readonly<Record<string, FileKey>> = {
  Enter: 'open',
  Backspace: 'up',
  F2: 'rename',
  Delete: 'remove',
  F4: 'edit',
  F5: 'copy',
  F6: 'other-pane',
}
const withAlt: Readonly<Record<string, FileKey>> = {
  ArrowLeft: 'back',
  ArrowRight: 'forward',
  ArrowUp: 'up',
  Enter: 'measure',
}

/** As a Mac deletes files; its keyboards have no Delete of their own. */
const withCommand: Readonly<Record<string, FileKey>> = { Backspace: 'remove' }

/** `null` for any other key. */
export function fileKeyOf({ key, altKey, ctrlKey, metaKey, shiftKey }: Pressed): FileKey | null {
  if (ctrlKey || shiftKey || (altKey && metaKey)) return null
  const keys = metaKey ? withCommand : altKey ? withAlt : plain
  return Object.hasOwn(keys, key) ? (keys[key] ?? null) : null
}

/** The character that a key types; `null` when it types none, or is meant for something else. */
export function typedCharacter({ key, altKey, ctrlKey, metaKey }: Pressed): string | null {
  if (altKey || ctrlKey || metaKey || Array.from(key).length !== 1) return null
  // Opens the list of shortcuts everywhere.
  return key === '?' ? null : key
}
