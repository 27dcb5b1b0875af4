import type { PublicKey } from '#domain/ssh/ssh-key.ts'
import { createKeychain } from '#services/vault/keychain/keychain.ts'
import { createVault, type Vault } from '#services/vault/vault.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { type FakeBackend, fakeBackend } from './keychain/fake-backend.ts'
import { memoryIndex } from './memory-index.ts'

export interface VaultUnderTest {
  readonly vault: Vault
  readonly backend: FakeBackend
  readonly index: ReturnType<typeof memoryIndex>
  readonly clock: FakeClock
  /** What is to be kept out of the log. */
  readonly remembered: readonly string[]
  /** The same keychain and disk, as the next start of the program finds them. */
  readonly restart: () => VaultUnderTest
}

export function setUpVault(backend = fakeBackend(), index = memoryIndex()): VaultUnderTest {
  const clock = new FakeClock()
  const remembered: string[] = []
  const vault = createVault({
    keychain: createKeychain({ backend, clock, deadlineMs: 1000 }),
    index,
    clock,
    correctedClock: { now: clock.now, toLocal: (trueMs) => trueMs },
    remember: (secret) => void remembered.push(secret),
    randomId: () => crypto.randomUUID(),
    makeKeyPair,
  })
  return { vault, backend, index, clock, remembered, restart: () => setUpVault(backend, index) }
}

let pairs = 0

/** Different each time; what matters here is that the two parts stay together. */
function makeKeyPair(comment: string): { privateKey: string; publicKey: PublicKey } {
  pairs += 1
  return {
    privateKey: `private part ${pairs}`,
    publicKey: {
      line: `ssh-ed25519 AAAA${pairs} ${comment}`,
      algorithm: 'ssh-ed25519',
      fingerprint: `SHA256:${pairs}`,
    },
  }
}

/** The private part that `makeKeyPair` made with this public one. */
export function privatePartOf(publicKey: PublicKey): string {
  return `private part ${publicKey.fingerprint.slice('SHA256:'.length)}`
}
