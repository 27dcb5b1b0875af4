import type { FreshInstanceKey } from '#domain/renting/rent-request.ts'

/** What a new instance's API key is for, and where it's stored. */
export function instanceKeyText(kept: FreshInstanceKey['kept']): string {
  return `This key can only start, stop, or destroy this instance. ${storedText(kept)}`
}

function storedText({ kind }: FreshInstanceKey['kept']): string {
  switch (kind) {
    case 'keychain':
      return 'The keychain stores it until the instance is gone. You can show it again in the instance’s details.'
    case 'memory':
      return 'No keychain was found, so Slipway forgets the key when you quit.'
    case 'nowhere':
      return 'Slipway couldn’t save the key. Copy it now and save it elsewhere if you need it.'
  }
}
