import { afterEach, describe, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.doUnmock('keytar')
  vi.resetModules()
})

async function backendOn(keytar: () => Record<string, unknown>) {
  vi.doMock('keytar', keytar)
  const { loadKeytar } = await import('#services/vault/keychain/keytar-backend.ts')
  const { KeychainLocked } = await import('#services/vault/keychain/keychain-backend.ts')
  return { backend: await loadKeytar('Slipway'), KeychainLocked }
}

function failingWith(message: string) {
  const fail = () => Promise.reject(new Error(message))
  return () => ({ default: { getPassword: fail, setPassword: fail, deletePassword: fail } })
}

test('a library that cannot be loaded is a reason, not a crash', async () => {
  const { backend } = await backendOn(() => {
    throw new Error('Failed to load keytar native addon')
  })
  await expect(backend.get('a')).rejects.toThrow('The keychain library cannot be loaded.')
  await expect(backend.set('a', 'b')).rejects.toThrow('The keychain library cannot be loaded.')
  await expect(backend.delete('a')).rejects.toThrow('The keychain library cannot be loaded.')
})

describe('a locked keychain is told from a broken one', () => {
  test.each([
    ['gnome-keyring', 'Cannot create an item in a locked collection'],
    ['other secret services', 'GDBus.Error:org.freedesktop.Secret.Error.IsLocked: no'],
    ['macOS without a window to ask in', 'User interaction is not allowed.'],
    ['macOS, refused by its user', 'User canceled the operation.'],
  ])('%s', async (_, message) => {
    const { backend, KeychainLocked } = await backendOn(failingWith(message))
    await expect(backend.set('a', 'b')).rejects.toBeInstanceOf(KeychainLocked)
  })

  test.each([
    'Object does not exist at path “/org/freedesktop/secrets/collection/login”',
    'Timeout was reached',
  ])('not: %s', async (message) => {
    const { backend, KeychainLocked } = await backendOn(failingWith(message))
    await expect(backend.set('a', 'b')).rejects.not.toBeInstanceOf(KeychainLocked)
  })
})

test.each([
  'The name :1.5 was not provided by any .service files',
  'The session wrapping the secret does not exist',
])('a service that ended says what to do: %s', async (message) => {
  const { backend } = await backendOn(failingWith(message))
  await expect(backend.get('a')).rejects.toThrow('Restart Slipway')
})
