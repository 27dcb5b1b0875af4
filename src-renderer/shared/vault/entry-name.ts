import type { VaultEntry } from '#domain/vault/vault-view.ts'

/** How an entry is called in sentences and buttons: its service first. */
export function entryName({ issuer, label }: Pick<VaultEntry, 'issuer' | 'label'>): string {
  return [issuer, label].filter((part) => part !== '').join(', ') || 'unnamed entry'
}
