/** By the file's name: what its loss means for money, and what to do. */
const texts: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  'accounts.json': {
    title: 'Couldn’t read your accounts',
    text: 'Until you connect them again, their auto-stop rules don’t run, and you’re still charged. Slipway then finds what it saved for each account.',
  },
  'guards.json': {
    title: 'Couldn’t read your auto-stop rules',
    text: 'All rules are gone: no instance is stopped or destroyed automatically, and you’re still charged. Add the rules again.',
  },
  'cost-limit.json': {
    title: 'Couldn’t read your cost limit',
    text: 'The limit is gone: Slipway doesn’t stop your instances at a cost, and you’re still charged. Set the limit again.',
  },
  'chains.jsonl': {
    title: 'Couldn’t read the auto-retry journal',
    text: 'An instance rented by auto-retry may be left running, and you’re charged for it. Check your instances.',
  },
  'rentals.jsonl': {
    title: 'Couldn’t read the journal of rentals',
    text: 'A rental whose reply was lost may not be found, and you’re charged for it. Check your instances.',
  },
  'actions.jsonl': {
    title: 'Couldn’t read the journal of stops and destroys',
    text: 'Slipway may not warn you if one of them had no effect, and you’re still charged. Check your instances.',
  },
}

/** `null` for a file whose loss costs nothing. @param file its path, in the form of any system */
export function storageNoticeText(file: string): { readonly title: string; readonly text: string } | null {
  return texts[file.split(/[\\/]/).at(-1) ?? ''] ?? null
}
