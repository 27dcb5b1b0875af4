import { type KeychainBackend, KeychainLocked } from '#services/vault/keychain/keychain-backend.ts'

export interface FakeBackend extends KeychainBackend {
  readonly entries: Map<string, string>
  readonly calls: string[]
  /** `locked`: as libsecret is then; `broken`: every call rejects; `hanging`: none is answered until `release`. */
  mode: 'open' | 'locked' | 'broken' | 'hanging'
  readonly release: () => void
}

/** A keychain that behaves as libsecret was measured to, in each of its moods. */
export function fakeBackend(): FakeBackend {
  const entries = new Map<string, string>()
  const calls: string[] = []
  let released = Promise.withResolvers<undefined>()

  const answer = async <T>(call: string, open: () => T, locked: () => T): Promise<T> => {
    calls.push(call)
    if (backend.mode === 'hanging') await released.promise
    if (backend.mode === 'broken') throw new Error('Cannot autolaunch D-Bus without X11 $DISPLAY')
    return backend.mode === 'locked' ? locked() : open()
  }
  const backend: FakeBackend = {
    entries,
    calls,
    mode: 'open',
    release: () => {
      backend.mode = 'open'
      released.resolve(undefined)
      released = Promise.withResolvers()
    },
    get: (account) =>
      answer(
        `get ${account}`,
        () => entries.get(account) ?? null,
        () => null,
      ),
    set: (account, value) =>
      answer(
        `set ${account}`,
        () => void entries.set(account, value),
        () => {
          throw new KeychainLocked('Cannot create an item in a locked collection')
        },
      ),
    delete: (account) =>
      answer(
        `delete ${account}`,
        () => entries.delete(account),
        () => false,
      ),
  }
  return backend
}
