import { counted } from '#domain/base/plural.ts'

/** By the file's name: what it means for money and access that this version can't read it. */
const consequences: Readonly<Record<string, string>> = {
  'accounts.json': 'Your accounts aren’t connected: auto-stop rules don’t run, and you’re still charged.',
  'guards.json': 'Auto-stop rules don’t run, and you’re still charged.',
  'cost-limit.json': 'The cost limit doesn’t apply, and you’re still charged.',
  'chains.jsonl': 'Auto-retry doesn’t continue, and you’re charged for what it rented.',
  'rentals.jsonl': 'You can’t rent.',
  'actions.jsonl': 'Slipway doesn’t know which instances you stopped or destroyed before.',
  'vault-index.json': 'The vault’s codes and keys can’t be used or changed.',
  'security.json': 'You can’t change your 2FA methods.',
  'spending.json': 'What instances cost isn’t counted.',
  'budget.json': 'Your monthly budget doesn’t warn.',
  'preferences.json': 'Settings are at their defaults: SSH connections don’t use your jump hosts.',
  'ssh-choices.json': 'SSH connections don’t use the jump hosts that you chose for an instance.',
}

const mostNamed = 3
const listFormat = new Intl.ListFormat('en')

export interface NewerFilesText {
  readonly title: string
  readonly text: string
  /** It is about money or access. */
  readonly isSevere: boolean
}

/** What is told of files that a newer Slipway saved. @param paths one or more, in the form of any system */
export function newerFilesText(paths: readonly string[]): NewerFilesText {
  const names = paths.map((path) => path.split(/[\\/]/).at(-1) ?? path)
  const [only = ''] = names
  const known = names.flatMap((name) => consequences[name] ?? [])
  const isOne = names.length === 1
  return {
    title: isOne ? `A newer Slipway saved ${only}` : `A newer Slipway saved ${counted(names.length, 'file')}`,
    text: [
      isOne
        ? 'This version can’t read it and leaves it unchanged: changes aren’t saved.'
        : `This version can’t read ${listed(names)} and leaves them unchanged: changes aren’t saved.`,
      ...known,
      'Update Slipway.',
    ].join(' '),
    isSevere: known.length > 0,
  }
}

function listed(names: readonly string[]): string {
  const others = names.length - mostNamed
  const named = names.slice(0, mostNamed)
  return listFormat.format(others > 0 ? [...named, `${others} more`] : named)
}
