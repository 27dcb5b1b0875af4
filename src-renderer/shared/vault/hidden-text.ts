import type { HiddenBy } from '#domain/vault/vault-view.ts'

/** Why secrets are hidden. */
export function hiddenText(by: HiddenBy): string {
  switch (by) {
    case 'idle':
      return 'Hidden after inactivity.'
    case 'suspend':
      return 'Hidden because the computer was asleep.'
    case 'screen-lock':
      return 'Hidden because the screen was locked.'
    case 'asked':
      return 'Hidden.'
  }
}
