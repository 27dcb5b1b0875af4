/** By the file's name: what its loss means for money, and what to do. */
const texts: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  'accounts.json': {
    title: 'Your accounts could not be read',
    text: 'Until they are connected again, their guards do nothing and machines go on being charged. What Slipway kept of each is found again then.',
  },
  'guards.json': {
    title: 'Your guards could not be read',
    text: 'None of them is left: machines are not stopped or destroyed by themselves any more, and go on being charged. Set them again.',
  },
  'chains.jsonl': {
    title: 'What was being tried until it runs could not all be read',
    text: 'A machine that was rented for it may be left without anybody to see to it, and is charged. Look through your instances.',
  },
  'rentals.jsonl': {
    title: 'The journal of rentals could not all be read',
    text: 'A rental whose reply was lost may not be found again, and is charged. Look through your instances.',
  },
  'actions.jsonl': {
    title: 'The journal of stops and destroys could not all be read',
    text: 'Slipway may not tell when one of them did not take, and the machine goes on being charged. Look through your instances.',
  },
}

/** `null` for a file whose loss costs nothing. @param file its path, in the form of any system */
export function storageNoticeText(file: string): { readonly title: string; readonly text: string } | null {
  return texts[file.split(/[\\/]/).at(-1) ?? ''] ?? null
}
