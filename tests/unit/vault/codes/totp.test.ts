import { expect, describe, test } from 'vitest'
import type { VaultAccount } from '#domain/vault/vault-view.ts'
import { codeOfStep } from '#services/vault/codes/one-time-code.ts'
import { decodeEntry } from '#services/vault/keychain/keychain.ts'
import { totpValue } from '#services/vault/codes/totp.ts'
import { fakeBackend } from '../keychain/fake-backend.ts'
import { setUpVault } from '../set-up-vault.ts'

const account: VaultAccount = { serviceAddress: 'https://rent.example.com', userId: 7 }
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const uri = `otpauth://totp/GPU%20Rental:ada%40example.com?secret=${secret}&issuer=GPU%20Rental`
const pending = { account, uri, secret, label: 'Phone', keepIn: 'keychain' } as const
const parameters = { algorithm: 'sha1', digits: 6, period: 30 } as const
const codeAt = (timeMs: number) => codeOfStep({ secret, parameters }, Math.floor(timeMs / 30_000))

describe('a secret that the service has just given', () => {
  test('is in the keychain when adding it resolves, and the list holds no secret', async () => {
    const { vault, backend, index } = setUpVault()
    const { id, keptIn } = await vault.totp.addPending(pending)
    expect(keptIn).toBe('keychain')
    expect(decodeEntry(backend.entries.get(`totp/${id}`) ?? '', totpValue)?.value).toEqual({
      secret,
      uri,
      lastStep: null,
      ...parameters,
      host: account.serviceAddress,
      user: 7,
      methodId: null,
      state: 'pending',
    })
    expect(vault.totpList.listed.value).toMatchObject([
      { id, state: 'pending', issuer: 'GPU Rental', label: 'Phone', account, parameters },
    ])
    expect(JSON.stringify(index.read())).not.toContain(secret)
  })

  test.each([
    ['locked', 'keychain-locked'],
    ['broken', 'keychain-unavailable'],
  ] as const)('is refused by a keychain that is %s, unless it is to be in memory', async (mode, problem) => {
    const { vault, backend, restart } = setUpVault()
    backend.mode = mode
    await expect(vault.totp.addPending(pending)).rejects.toThrow(problem)
    expect(vault.totpList.listed.value).toEqual([])
    const { id } = await vault.totp.addPending({ ...pending, keepIn: 'memory' })
    await expect(vault.totp.secretOf(id)).resolves.toMatchObject({ secret, uri })
    expect(restart().vault.totpList.listed.value).toEqual([])
  })

  test('is not left behind unlisted by a full disk', async () => {
    const { vault, backend, index } = setUpVault()
    index.diskIsFull = true
    await expect(vault.totp.addPending(pending)).rejects.toThrow('storage-failed')
    await expect.poll(() => [...backend.entries.keys()]).toEqual([])
  })

  test('goes from memory to a keychain that opens', async () => {
    const { vault, backend, restart } = setUpVault()
    backend.mode = 'locked'
    const { id } = await vault.totp.addPending({ ...pending, keepIn: 'memory' })
    await expect(vault.totp.keep(id)).rejects.toThrow('keychain-locked')
    backend.mode = 'open'
    await vault.totp.keep(id)
    await expect(restart().vault.totp.secretOf(id)).resolves.toMatchObject({ secret })
  })

  test('that is no base32 is the service’s mistake', async () => {
    const { vault } = setUpVault()
    await expect(vault.totp.addPending({ ...pending, secret: 'nonsense!' })).rejects.toThrow('bad-reply')
  })
})

describe('what becomes of an entry', () => {
  test('is listed although the keychain is locked, and in the value once it opens', async () => {
    const { vault, backend, restart } = setUpVault()
    const { id } = await vault.totp.addPending(pending)
    backend.mode = 'locked'
    await vault.totp.activate(id, 42)
    expect(vault.totp.find(account, 42)).toBe(id)
    expect(vault.totp.find({ ...account, userId: 8 }, 42)).toBeNull()
    expect(vault.totpList.find(id)).toMatchObject({ state: 'active', methodId: 42 })
    backend.mode = 'open'
    await vault.totp.orphan(id)
    expect(restart().vault.totpList.find(id)).toMatchObject({ state: 'orphan', methodId: 42 })
    const value = decodeEntry(backend.entries.get(`totp/${id}`) ?? '', totpValue)?.value
    expect(value).toMatchObject({ state: 'orphan', methodId: 42, secret })
  })

  test('an active one is removed only when that was meant', async () => {
    const { vault, backend } = setUpVault()
    const { id } = await vault.totp.addPending(pending)
    await vault.totp.activate(id, 42)
    await expect(vault.totp.remove(id, false)).rejects.toThrow('invalid-input')
    await vault.totp.remove(id, true)
    expect([...backend.entries.keys()]).toEqual([])
    expect(vault.totpList.listed.value).toEqual([])
  })

  test('one that is gone from an open keychain is missing, and nothing takes its place', async () => {
    const { vault, backend } = setUpVault()
    const { id } = await vault.totp.addPending(pending)
    backend.entries.delete(`totp/${id}`)
    await expect(vault.totp.codeFor(id, {})).rejects.toThrow('secret-missing')
    await expect(vault.totp.noteUsed(id, 3)).rejects.toThrow('secret-missing')
    expect([...backend.entries.keys()]).toEqual([])
    expect(vault.totpList.find(id)).not.toBeNull()
  })

  test('on a locked keychain nothing is overwritten', async () => {
    const { vault, backend } = setUpVault()
    const { id } = await vault.totp.addPending(pending)
    const before = new Map(backend.entries)
    backend.mode = 'locked'
    await expect(vault.totp.codeFor(id, {})).rejects.toThrow('keychain-locked')
    await expect(vault.totp.remove(id, true)).rejects.toThrow('keychain-locked')
    expect(backend.entries).toEqual(before)
  })
})

describe('a code to be sent', () => {
  test('is right, and never the same twice: the second waits for the next step, also after a crash', async () => {
    const { vault, clock, restart } = setUpVault()
    const { id } = await vault.totp.addPending(pending)
    const first = await vault.totp.codeFor(id, {})
    expect(first.code).toBe(codeAt(clock.now()))
    const next = restart()
    const waits: number[] = []
    const second = next.vault.totp.codeFor(id, { onWait: (untilMs) => waits.push(untilMs) })
    await next.clock.advance(29_000)
    expect(waits).toEqual([next.clock.now() + 1000])
    await next.clock.advance(1000)
    await expect(second).resolves.toEqual({ code: codeAt(next.clock.now()), step: first.step + 1 })
  })

  test('has time left to arrive', async () => {
    const { vault, clock } = setUpVault()
    const { id } = await vault.totp.addPending(pending)
    await clock.advance(27_500)
    const code = vault.totp.codeFor(id, {})
    await clock.advance(2_500)
    await expect(code).resolves.toMatchObject({ code: codeAt(clock.now()) })
  })

  test('two at once get one step each, while the entry can still be looked at', async () => {
    const { vault, clock } = setUpVault()
    const { id } = await vault.totp.addPending(pending)
    const both = Promise.all([vault.totp.codeFor(id, {}), vault.totp.codeFor(id, {})])
    await clock.advance(0)
    await expect(vault.totp.secretOf(id)).resolves.toMatchObject({ secret })
    await clock.advance(30_000)
    const [one, other] = await both
    expect(other.step).toBe(one.step + 1)
  })

  test('is not waited for any longer by who has left, and its step stays good', async () => {
    const { vault, clock } = setUpVault()
    const { id } = await vault.totp.addPending(pending)
    const { step } = await vault.totp.codeFor(id, {})
    const left = new AbortController()
    const waiting = vault.totp.codeFor(id, { signal: left.signal })
    await clock.advance(1000)
    left.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
    await clock.advance(29_000)
    await expect(vault.totp.codeFor(id, {})).resolves.toMatchObject({ step: step + 1 })
  })

  test('is not of a step that was typed', async () => {
    const { vault, clock } = setUpVault()
    const { id } = await vault.totp.addPending(pending)
    const typed = await vault.totp.checkTyped(id, codeAt(clock.now()))
    if (typed.kind !== 'right') throw new Error(typed.kind)
    await vault.totp.noteUsed(id, typed.step)
    const next = vault.totp.codeFor(id, {})
    await clock.advance(30_000)
    await expect(next).resolves.toMatchObject({ step: typed.step + 1 })
  })

  test('is not of a step that was typed either, after a clock that was hours fast', async () => {
    const { vault, clock } = setUpVault()
    const now = Math.floor(clock.now() / 30_000)
    const { id } = await vault.totp.restore(
      {
        issuer: '',
        label: 'From a machine with another time',
        secret,
        parameters: { algorithm: 'sha1', digits: 6, period: 30 },
        account: null,
        methodId: null,
        state: 'active',
        lastStep: now + 240,
      },
      'keychain',
    )
    await vault.totp.noteUsed(id, now)
    const next = vault.totp.codeFor(id, {})
    await clock.advance(30_000)
    await expect(next).resolves.toMatchObject({ step: now + 1 })
  })
})

test('what somebody typed tells a wrong clock from a wrong code', async () => {
  const { vault, clock } = setUpVault()
  const { id } = await vault.totp.addPending(pending)
  const now = clock.now()
  const code = codeAt(now)
  await expect(vault.totp.checkTyped(id, `${code.slice(0, 3)} ${code.slice(3)}`)).resolves.toMatchObject({
    kind: 'right',
  })
  await expect(vault.totp.checkTyped(id, codeAt(now - 30_000))).resolves.toMatchObject({ kind: 'right' })
  await expect(vault.totp.checkTyped(id, codeAt(now + 300_000))).resolves.toEqual({
    kind: 'clock-off',
    bySeconds: 300,
  })
  await expect(vault.totp.checkTyped(id, codeAt(now - 7_200_000))).resolves.toEqual({
    kind: 'clock-off',
    bySeconds: -7200,
  })
  await expect(vault.totp.checkTyped(id, 'abc')).resolves.toEqual({ kind: 'wrong' })
})

test('an entry without room for its URI keeps the secret, and a picture is drawn all the same', async () => {
  const { vault } = setUpVault(fakeBackend())
  const long = `otpauth://totp/${'x'.repeat(1500)}?secret=${secret}`
  const { id } = await vault.totp.addPending({ ...pending, uri: long })
  const shown = await vault.totp.secretOf(id)
  expect(shown.uri).toBe(`otpauth://totp/Phone?secret=${secret}`)
  expect(shown.picture).toMatch(/^data:image/)
})
