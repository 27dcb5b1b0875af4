import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Keychain } from '#services/vault/keychain/keychain.ts'
import { Seal } from '#services/vault/keys/seal.ts'

type Part = Pick<Keychain, 'read' | 'write'>

/** A keychain that holds one value, and may be closed. */
function keychain(): Part & { isLocked: boolean; clear: () => void } {
  let held: unknown = null
  return {
    isLocked: false,
    clear: () => void (held = null),
    async read(_, schema) {
      if (this.isLocked) return { kind: 'locked', detail: '' }
      return held === null ? { kind: 'absent' } : { kind: 'found', value: schema.parse(held) }
    },
    async write(_, value) {
      held = value
      return { kind: 'written' }
    },
  }
}

test('what is sealed can be opened in a later run, and not be read in between', async () => {
  const kept = keychain()
  const sealed = await new Seal({ keychain: kept, randomBytes }).seal('HF_TOKEN=canary ü')
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('canary')
  expect(await new Seal({ keychain: kept, randomBytes }).open(sealed)).toBe('HF_TOKEN=canary ü')
})

test('without its key, or changed, it stays closed', async () => {
  const kept = keychain()
  const sealed = await new Seal({ keychain: kept, randomBytes }).seal('canary')
  const changed = Buffer.from(sealed, 'base64url')
  changed[14] = (changed[14] ?? 0) ^ 1
  expect(await new Seal({ keychain: kept, randomBytes }).open(changed.toString('base64url'))).toBeNull()
  kept.clear()
  expect(await new Seal({ keychain: kept, randomBytes }).open(sealed)).toBeNull()
})

test('a locked keychain: the key lasts for this run, and a later one can be asked again', async () => {
  const kept = keychain()
  const before = await new Seal({ keychain: kept, randomBytes }).seal('canary')
  kept.isLocked = true
  const seal = new Seal({ keychain: kept, randomBytes })
  expect(await seal.open(await seal.seal('mine'))).toBe('mine')
  await expect(seal.open(before)).rejects.toThrow('keychain-locked')
  kept.isLocked = false
  expect(await seal.open(before)).toBe('canary')
})

test('what two seal at once, before there is a key, opens in a later run', async () => {
  const kept = keychain()
  const seal = new Seal({ keychain: kept, randomBytes })
  const sealed = await Promise.all([seal.seal('first chain'), seal.seal('second chain')])
  const later = new Seal({ keychain: kept, randomBytes })
  expect(await Promise.all(sealed.map((one) => later.open(one)))).toEqual(['first chain', 'second chain'])
})
