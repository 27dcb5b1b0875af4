import type { HiddenBy } from '#domain/vault/vault-view.ts'

/** Why secrets left the screen. */
export function hiddenText(by: HiddenBy): string {
  switch (by) {
    case 'idle':
      return 'Hidden, because nobody used this computer for a while.'
    case 'suspend':
      return 'Hidden, because the computer slept.'
    case 'screen-lock':
      return 'Hidden, because the screen was locked.'
    case 'asked':
      return 'Hidden.'
  }
}
