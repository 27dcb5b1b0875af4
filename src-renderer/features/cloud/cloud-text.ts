export const noConnections = {
  title: 'No connections yet',
  text: 'Connect an object store, model hub, drive, or file synchronization service, so that your instances can reach your files.',
} as const

/** What the service's API can do with connections (service API 4.1). */
export const limitsText =
  'The service’s API can only list and add connections. It can’t rename or remove a connection, or tell whether it still works.'

export const storedText =
  'The service stores what you enter, so that your instances can reach the storage. Slipway sends it once and never stores it.'

export const clearedText =
  'The secrets that you entered here were cleared: this computer was inactive, asleep, or locked.'

export const sameNameText = 'A connection already has this name, so you couldn’t tell the two apart.'

/** What was found in a pasted address. */
export const takenTexts = {
  code: 'Took the code from the address.',
  codeOnly: 'Took the code from the address, which has no state.',
  codeAndState: 'Took the code and the state from the address.',
} as const
