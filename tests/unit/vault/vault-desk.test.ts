import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseBackupCodes } from '#domain/vault/backup-codes.ts'
import { Latest } from '#domain/base/latest.ts'
import type { ClockState, VaultAccount } from '#domain/vault/vault-view.ts'
import { CodeWatch } from '#services/vault/codes/code-watch.ts'
import { codeOfStep } from '#services/vault/codes/one-time-code.ts'
import { SecretClipboard } from '#services/vault/secret-clipboard.ts'
import { SecretScreen } from '#services/vault/secret-screen.ts'
import { VaultDesk } from '#services/vault/vault-desk.ts'
import { settle } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { setUpVault } from './set-up-vault.ts'

const account: VaultAccount = { serviceAddress: 'https://rent.example.com', userId: 7 }
const secret = 'JBSWY3DPEHPK3PXP'
const parameters = { algorithm: 'sha1', digits: 6, period: 30 } as const

function setUp() {
  const world = setUpVault()
  const { vault, clock } = world
  const system = { clipboard: '', file: '' }
  const user: { account: VaultAccount | null } = { account }
  const others = new Latest<readonly VaultAccount[]>([])
  const screen = new SecretScreen({
    clock,
    protect: null,
    idleMs: () => 0,
    isLocked: () => false,
    hideAfterMs: () => 1,
  })
  const clipboard = new SecretClipboard({
    clipboard: {
      writeSecret: async (text) => void (system.clipboard = text),
      read: async () => system.clipboard,
      clear: () => void (system.clipboard = ''),
    },
    clock,
    log: memoryLog(),
  })
  const desk = new VaultDesk({
    vault,
    codes: new CodeWatch({
      entries: vault.totpList.listed,
      maker: (id) => vault.totp.maker(id),
      keychain: vault.state,
      screen,
      clock,
      trueClock: {
        now: clock.now,
        toLocal: (trueMs) => trueMs,
        state: new Latest<ClockState>({ kind: 'unchecked', lastCheckedAtMs: null }),
      },
    }),
    screen,
    clipboard,
    trueClock: { state: new Latest<ClockState>({ kind: 'unchecked', lastCheckedAtMs: null }) },
    account: () => user.account,
    others: { now: () => others.value, changes: others },
    chooseFile: async () => system.file || null,
  })
  return { ...world, desk, others, screen, system, user }
}

describe('adding', () => {
  test('by URI and by hand makes the same codes', async () => {
    const { desk, vault } = setUp()
    const byUri = await desk.addUri(` otpauth://totp/Example:ada?secret=${secret} `, 'keychain')
    const typed = {
      issuer: 'Example',
      label: 'ada',
      key: 'jbsw y3dp ehpk 3pxp',
      parameters,
      keepIn: 'keychain',
    } as const
    const one = await vault.totp.codeNow(byUri.id)
    expect(vault.totpList.find(byUri.id)).toMatchObject({
      issuer: 'Example',
      label: 'ada',
      state: 'active',
      account: null,
    })
    await vault.totp.remove(byUri.id, true)
    const byHand = await desk.addKey(typed)
    await expect(vault.totp.codeNow(byHand.id)).resolves.toEqual(one)
  })

  test('one that is in the vault already is refused, under the name it has there', async () => {
    const { desk, vault } = setUp()
    await desk.addUri(`otpauth://totp/Example:ada?secret=${secret}`, 'keychain')
    const again = desk.addUri(`otpauth://totp/Other?secret=${secret.toLowerCase()}`, 'keychain')
    await expect(again).rejects.toMatchObject({
      problem: { field: 'uri', message: 'It is in the vault already: Example, ada.' },
    })
    await desk.addUri(`otpauth://totp/Other?secret=${secret}&digits=8`, 'keychain')
    expect(vault.totpList.listed.value).toHaveLength(2)
  })

  test('what is none is refused at its field', async () => {
    const { desk } = setUp()
    await expect(desk.addUri('nonsense', 'keychain')).rejects.toMatchObject({ problem: { field: 'uri' } })
    const typed = { issuer: '', label: '', key: 'nonsense!', parameters, keepIn: 'keychain' } as const
    await expect(desk.addKey(typed)).rejects.toMatchObject({ problem: { field: 'key' } })
    await expect(desk.addBackupCodes('nonsense', 'keychain')).rejects.toMatchObject({
      problem: { field: 'text' },
    })
  })

  test('backup codes need an account whose they are', async () => {
    const { desk, user, vault } = setUp()
    const { id } = await desk.addBackupCodes('abcd-efgh-0000 ABCD-EFGH-0001', 'keychain')
    expect(vault.backupList.find(id)).toMatchObject({ account, unused: 2 })
    user.account = null
    await expect(desk.addBackupCodes('ABCD-EFGH-0000', 'keychain')).rejects.toThrow('no-account')
  })
})

test('copying a code says when it leaves the clipboard and when it ends', async () => {
  const { desk, clock, system } = setUp()
  const { id } = await desk.addUri(`otpauth://totp/a?secret=${secret}`, 'keychain')
  await clock.advance(10_000)
  await expect(desk.copyCode(id)).resolves.toEqual({
    clearsAtMs: clock.now() + 30_000,
    codeEndsAtMs: clock.now() + 20_000,
  })
  expect(system.clipboard).toBe(codeOfStep({ secret, parameters }, Math.floor(clock.now() / 30_000)))
})

test('a secret is revealed for 60 s, in groups that can be read out', async () => {
  const { desk, clock } = setUp()
  const { id } = await desk.addUri(`otpauth://totp/a?secret=${secret}`, 'keychain')
  const shown = desk.revealEntry(id)
  await expect(shown.next()).resolves.toMatchObject({
    value: {
      kind: 'shown',
      key: 'JBSW Y3DP EHPK 3PXP',
      picture: expect.stringMatching(/^data:image/),
      endsAtMs: clock.now() + 60_000,
    },
  })
  await shown.return()
})

describe('backup codes', () => {
  const codes = ['ABCD-EFGH-0000', 'ABCD-EFGH-0001', 'ABCD-EFGH-0002']
  const withCodes = async () => {
    const world = setUp()
    const { id } = await world.vault.backupCodes.store({ account, codes, keepIn: 'keychain' })
    await world.vault.backupCodes.mark(account, 'ABCD-EFGH-0000', 'used')
    return { ...world, id }
  }

  test('are saved to a file that can be read back in, without the used ones', async () => {
    const { desk, id, system, vault } = await withCodes()
    await expect(desk.saveBackupCodes(id)).resolves.toBeNull()
    expect(vault.backupList.find(id)?.saved).toBeNull()
    const folder = await mkdtemp(join(tmpdir(), 'slipway-codes-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    system.file = join(folder, 'codes.txt')
    await expect(desk.saveBackupCodes(id)).resolves.toEqual({ path: system.file })
    expect(vault.backupList.find(id)?.saved).toBe('file')
    const text = await readFile(system.file, 'utf8')
    expect(text).toContain('user 7 at https://rent.example.com')
    expect(parseBackupCodes(text)).toEqual(codes.slice(1))
  })

  test('are copied one or all', async () => {
    const { desk, id, system, vault } = await withCodes()
    await desk.copyBackupCode(id, 1)
    expect(system.clipboard).toBe('ABCD-EFGH-0001')
    await expect(desk.copyBackupCode(id, 3)).rejects.toThrow('invalid-input')
    expect(vault.backupList.find(id)?.saved).toBeNull()
    await desk.copyBackupCodes(id)
    expect(system.clipboard).toBe('ABCD-EFGH-0001\nABCD-EFGH-0002')
    expect(vault.backupList.find(id)?.saved).toBe('copy')
  })
})

test('the view follows everything, and holds no secret', async () => {
  const { desk, screen, vault } = setUp()
  const end = new AbortController()
  const following = desk.follow(end.signal)
  const { id } = await desk.addUri(`otpauth://totp/a?secret=${secret}`, 'keychain')
  await desk.copyCode(id)
  await vault.backupCodes.store({ account, codes: ['ABCD-EFGH-0000'], keepIn: 'keychain' })
  screen.hide('asked')
  await settle()
  expect(desk.view.value).toMatchObject({
    entries: [{ id, keptIn: 'keychain' }],
    backupSets: [{ unused: 1 }],
    screen: { hiddenBy: 'asked' },
    clipboardClearsAtMs: expect.any(Number),
  })
  expect(JSON.stringify(desk.view.value)).not.toMatch(/JBSWY3DP|ABCD/)
  end.abort()
  await following
})

describe('what belongs to another account that is connected', () => {
  const other: VaultAccount = { ...account, serviceAddress: 'https://other.example.com' }
  const setUpTwo = async () => {
    const world = setUp()
    const { desk, vault, others } = world
    others.set([other])
    const entry = { label: 'ada', parameters, methodId: null, state: 'active', lastStep: null } as const
    const theirs = await vault.totp.restore(
      { ...entry, issuer: 'Canary', secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', account: other },
      'keychain',
    )
    const own = await vault.totp.restore(
      { ...entry, issuer: 'Own', secret: 'KRSXG5CTMVRXEZLU', account },
      'keychain',
    )
    const foreign = await desk.addUri(`otpauth://totp/Mail:ada?secret=${secret}`, 'keychain')
    await vault.backupCodes.store({ account: other, codes: ['ABCD-EFGH-0000'], keepIn: 'keychain' })
    const end = new AbortController()
    const following = desk.follow(end.signal)
    onTestFinished(async () => {
      end.abort()
      await following
    })
    await settle()
    return { ...world, ids: { theirs: theirs.id, own: own.id, foreign: foreign.id } }
  }

  test('is counted and not shown, its codes neither; what is of this one, or of another service, is', async () => {
    const { desk, ids } = await setUpTwo()
    expect(desk.view.value.entries.map(({ id }) => id)).toEqual([ids.own, ids.foreign])
    expect(desk.view.value).toMatchObject({ backupSets: [], elsewhere: { entries: 1, backupSets: 1 } })
    const codes = desk.watchCodes()
    const { value } = await codes.next()
    await codes.return()
    expect(value).toMatchObject({ kind: 'shown', codes: [{ id: ids.own }, { id: ids.foreign }] })
  })

  test('is not to be had by its id either', async () => {
    const { desk, vault, ids } = await setUpTwo()
    expect(desk.own(ids.own)).toBe(ids.own)
    expect(desk.own(ids.foreign)).toBe(ids.foreign)
    const theirSet = vault.backupList.listed.value.at(0)?.id ?? ''
    for (const id of [ids.theirs, theirSet]) expect(() => desk.own(id)).toThrow('secret-missing')
  })

  test('is not told by name when the same secret is added here', async () => {
    const { desk } = await setUpTwo()
    const again = desk.addUri('otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 'keychain')
    await expect(again).rejects.toMatchObject({
      problem: { message: 'It is in the vault already, for another account.' },
    })
  })

  test('is shown once that account is signed out, and without any account: it would be nowhere else', async () => {
    const { desk, others, user } = await setUpTwo()
    user.account = null
    others.set([])
    await settle()
    expect(desk.view.value.entries).toHaveLength(3)
    expect(desk.view.value).toMatchObject({
      backupSets: [{ account: other }],
      elsewhere: { entries: 0, backupSets: 0 },
    })
  })
})
