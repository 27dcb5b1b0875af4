/** What the service's document says of its web console: where it stands there, and in which words. */
interface Source {
  readonly section: string
  readonly says: string
}

const createsKeys: Source = { section: '5', says: 'A key is created from the web console' }
const showsKeysOnce: Source = { section: '5', says: 'the key value is displayed once only' }

/** Every sentence about the service's web console that a user meets, with what of the document it goes by. */
export const consoleSentences: readonly {
  readonly file: string
  readonly sentence: string
  readonly source: Source
}[] = [
  {
    file: 'src-renderer/features/accounts/connect-text.ts',
    sentence: 'Create a key in the service’s web console, with full access or limited to what you need.',
    source: createsKeys,
  },
  {
    file: 'src-renderer/features/accounts/connect-text.ts',
    sentence: 'Copy the key right away and paste it here: the console shows it only once.',
    source: showsKeysOnce,
  },
  {
    file: 'src-renderer/features/accounts/key-text.ts',
    sentence: 'Create a key in the web console and replace this one below.',
    source: createsKeys,
  },
  {
    file: 'src-renderer/features/accounts/key-text.ts',
    sentence: 'The web console shows a key only once: if you don’t have it, create a new one.',
    source: showsKeysOnce,
  },
  {
    file: 'src-renderer/features/accounts/scope-text.ts',
    sentence: 'You create keys in the service’s web console.',
    source: createsKeys,
  },
  {
    file: 'src-renderer/features/security/signed-out/signed-out-text.ts',
    sentence: 'Check that the service address is the API’s, not the web console’s.',
    source: createsKeys,
  },
  {
    file: 'src-renderer/features/security/signed-out/signed-out-text.ts',
    sentence: 'To use the account in Slipway, create an API key in the web console and connect with it.',
    source: createsKeys,
  },
  {
    file: 'src-renderer/ui/problems/problem-text.ts',
    sentence: 'Copy the whole key again, or create a new one in the web console.',
    source: createsKeys,
  },
  {
    file: 'src-renderer/ui/problems/problem-text.ts',
    sentence: 'Create a new key in the web console, then replace it in Settings > Account.',
    source: createsKeys,
  },
  {
    file: 'src-renderer/ui/problems/problem-text.ts',
    sentence: 'Check that the service address is the API’s, not the web console’s.',
    source: createsKeys,
  },
  {
    file: 'docs/first-run.md',
    sentence: 'Create an API key in the service’s web console, and enter it with the service’s address.',
    source: createsKeys,
  },
  {
    file: 'docs/guide/connect.md',
    sentence: 'You need the address of the service and an API key from its web console.',
    source: createsKeys,
  },
]

/** Says what others offer, as far as outsiders can tell. */
export const comparison = 'README.md'
