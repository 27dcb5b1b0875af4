import { ProblemError } from '#domain/base/problem.ts'
import { emptyVaultIndex, type VaultIndex, type VaultIndexFile } from '#services/vault/vault-index.ts'

/** An index that a test can read, and whose disk it can fill up. */
export function memoryIndex(): VaultIndexFile & { diskIsFull: boolean } {
  let value: VaultIndex = emptyVaultIndex
  const index = {
    diskIsFull: false,
    read: () => value,
    write: async (next: VaultIndex) => {
      // As a real disk does: later, so that changes could overtake each other.
      await new Promise((resolve) => setImmediate(resolve))
      if (index.diskIsFull)
        throw new ProblemError({ kind: 'storage-failed', file: 'vault.json', detail: 'ENOSPC' })
      value = next
    },
  }
  return index
}
