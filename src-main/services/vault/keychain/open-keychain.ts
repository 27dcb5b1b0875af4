import type { KeychainBackend } from './keychain-backend.ts'
import { loadKeytar } from './keytar-backend.ts'
import { createKeytarProcess, type KeytarHost } from './keytar-process.ts'

export interface OpenKeychainOptions {
  /** Under which all entries are, and no others are touched. */
  readonly service: string
  readonly platform: NodeJS.Platform
  /** Starts what runs `keychain-host.ts`. @throws when it does not get ready */
  readonly startProcess: (service: string) => Promise<KeytarHost>
}

/** The system's keychain. */
export async function openKeychain({
  service,
  platform,
  startProcess,
}: OpenKeychainOptions): Promise<KeychainBackend> {
  const inPlace = (): Promise<KeychainBackend> => loadKeytar(service)
  // Elsewhere the system asks which program wants an entry: that stays the one that made it.
  if (platform !== 'linux') return inPlace()
  return createKeytarProcess({
    start: () => startProcess(service),
    inPlace,
    onFailure: (error) =>
      process.stderr.write(`The keychain is used without a process of its own: ${String(error)}\n`),
  })
}
