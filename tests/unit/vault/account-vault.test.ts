import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseBackupCodes } from '#domain/vault/backup-codes.ts'
import { qualifiedUserId } from '#domain/base/account-identity.ts'
import { Latest } from '#domain/base/latest.ts'
import type { ClockState, VaultAccount } from '#domain/vault/vault-view.ts'
import { LiveCodes } from '#services/vault/codes/live-codes.ts'
import { codeOfStep } from '#services/vault/codes/one-time-code.ts'
import { SecretClipboard } from '#services/vault/secret-clipboard.ts'
import { SecretVisibility } from '#services/vault/secret-visibility.ts'
import { AccountVault } from '#services/vault/account-vault.ts'
import { settle } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { setUpVault } from './set-up-vault.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const account: VaultAccount = { serviceAddress: 'https://rent.example.com', userId: 7 }
const secret = 'JBSWY3DPEHPK3PXP'
const parameters = { algorithm: 'sha1', digits: 6, period: 30 } as const

function setUp() {
  const world = setUpVault()
  const { vault, clock } = world
  const system = { clipboard: '', file: '' }
  const user: { account: VaultAccount | null } = { account }
  const others = new Latest<readonly VaultAccount[]>([])
  const screen = new SecretVisibility({
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
  const accountVault = new AccountVault({
    vault,
    codes: new LiveCodes({
      entries: vault.totpList.listed,
      maker: (id) => vault.totp.maker(id),
      keychain: vault.state,
      screen,
      clock,
      correctedClock: {
        now: clock.now,
        toLocal: (trueMs) => trueMs,
        state: new Latest<ClockState>({ kind: 'unchecked', lastCheckedAtMs: null }),
      },
    }),
    screen,
    clipboard,
    correctedClock: { state: new Latest<ClockState>({ kind: 'unchecked', lastCheckedAtMs: null }) },
    account: () => user.account,
    others: { now: () => others.value, changes: others },
    chooseFile: async () => system.file || null,
  })
  return { ...world, accountVault, others, screen, system, user }
}

describe('adding', () => {
  test('by URI and by hand makes the same codes', async () => {
    const { accountVault, vault } = setUp()
    const byUri = await accountVault.addUri(` otpauth://totp/Example:ada?secret=${secret} `, 'keychain')
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
    const byHand = await accountVault.addKey(typed)
    await expect(vault.totp.codeNow(byHand.id)).resolves.toEqual(one)
  })

  test('one that is in the vault already is refused, under the name it has there', async () => {
    const { accountVault, vault } = setUp()
    await accountVault.addUri(`otpauth://totp/Example:ada?secret=${secret}`, 'keychain')
    const again = accountVault.addUri(`otpauth://totp/Other?secret=${secret.toLowerCase()}`, 'keychain')
    await expect(again).rejects.toMatchObject({
      problem: { field: 'uri', fault: { code: 'in-vault', name: 'Example, ada' } },
    })
    await accountVault.addUri(`otpauth://totp/Other?secret=${secret}&digits=8`, 'keychain')
    expect(vault.totpList.listed.value).toHaveLength(2)
  })

  test('what is none is refused at its field', async () => {
    const { accountVault } = setUp()
    await expect(accountVault.addUri('nonsense', 'keychain')).rejects.toMatchObject({
      problem: { field: 'uri' },
    })
    const typed = { issuer: '', label: '', key: 'nonsense!', parameters, keepIn: 'keychain' } as const
    await expect(accountVault.addKey(typed)).rejects.toMatchObject({ problem: { field: 'key' } })
    await expect(accountVault.addBackupCodes('nonsense', 'keychain')).rejects.toMatchObject({
      problem: { field: 'text' },
    })
  })

  test('backup codes need an account whose they are', async () => {
    const { accountVault, user, vault } = setUp()
    const { id } = await accountVault.addBackupCodes('abcd-efgh-0000 ABCD-EFGH-0001', 'keychain')
    expect(vault.backupList.find(id)).toMatchObject({ account, unused: 2 })
    user.account = null
    await expect(accountVault.addBackupCodes('ABCD-EFGH-0000', 'keychain')).rejects.toThrow('no-account')
  })
})

test('copying a code says when it leaves the clipboard and when it ends', async () => {
  const { accountVault, clock, system } = setUp()
  const { id } = await accountVault.addUri(`otpauth://totp/a?secret=${secret}`, 'keychain')
  await clock.advance(10_000)
  await expect(accountVault.copyCode(id)).resolves.toEqual({
    clearsAtMs: clock.now() + 30_000,
    codeEndsAtMs: clock.now() + 20_000,
  })
  expect(system.clipboard).toBe(codeOfStep({ secret, parameters }, Math.floor(clock.now() / 30_000)))
})

test('a secret is revealed for 60 s, in groups that can be read out', async () => {
  const { accountVault, clock } = setUp()
  const { id } = await accountVault.addUri(`otpauth://totp/a?secret=${secret}`, 'keychain')
  const shown = accountVault.revealEntry(id)
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
    const { accountVault, id, system, vault } = await withCodes()
    await expect(accountVault.saveBackupCodes(id)).resolves.toBeNull()
    expect(vault.backupList.find(id)?.saved).toBeNull()
    const folder = await temporaryFolder()
    system.file = join(folder, 'codes.txt')
    await expect(accountVault.saveBackupCodes(id)).resolves.toEqual({ path: system.file })
    expect(vault.backupList.find(id)?.saved).toBe('file')
    const text = await readFile(system.file, 'utf8')
    expect(text).toContain('user 7 at https://rent.example.com')
    expect(parseBackupCodes(text)).toEqual(codes.slice(1))
  })

  test('are copied one or all', async () => {
    const { accountVault, id, system, vault } = await withCodes()
    await accountVault.copyBackupCode(id, 1)
    expect(system.clipboard).toBe('ABCD-EFGH-0001')
    await expect(accountVault.copyBackupCode(id, 3)).rejects.toThrow('invalid-input')
    expect(vault.backupList.find(id)?.saved).toBeNull()
    await accountVault.copyBackupCodes(id)
    expect(system.clipboard).toBe('ABCD-EFGH-0001\nABCD-EFGH-0002')
    expect(vault.backupList.find(id)?.saved).toBe('copy')
  })
})

test('the view follows everything, and holds no secret', async () => {
  const { accountVault, screen, vault } = setUp()
  const end = new AbortController()
  const following = accountVault.follow(end.signal)
  const { id } = await accountVault.addUri(`otpauth://totp/a?secret=${secret}`, 'keychain')
  await accountVault.copyCode(id)
  await vault.backupCodes.store({ account, codes: ['ABCD-EFGH-0000'], keepIn: 'keychain' })
  screen.hide('asked')
  await settle()
  expect(accountVault.view.value).toMatchObject({
    entries: [{ id, keptIn: 'keychain' }],
    backupSets: [{ unused: 1 }],
    screen: { hiddenBy: 'asked' },
    clipboardClearsAtMs: expect.any(Number),
  })
  expect(JSON.stringify(accountVault.view.value)).not.toMatch(/JBSWY3DP|ABCD/)
  end.abort()
  await following
})

test('an instance’s own key is shown for a minute, copied for half of one, and only to its own account', async () => {
  const { accountVault, vault, clock, system, user } = setUp()
  const end = new AbortController()
  const following = accountVault.follow(end.signal)
  await vault.instanceKeys.keep(qualifiedUserId(account), 7, 'own-key-canary')
  await settle()
  expect(accountVault.view.value.instanceKeys).toEqual([{ instanceId: 7, keptIn: 'keychain' }])
  expect(JSON.stringify(accountVault.view.value)).not.toContain('canary')

  const shown = accountVault.revealInstanceKey(7)
  expect((await shown.next()).value).toMatchObject({ kind: 'shown', key: 'own-key-canary' })
  const next = shown.next()
  await settle()
  await clock.advance(60_000)
  expect((await next).value).toEqual({ kind: 'ended', by: 'time' })
  await accountVault.copyInstanceKey(7)
  expect(system.clipboard).toBe('own-key-canary')
  await clock.advance(30_000)
  expect(system.clipboard).toBe('')

  user.account = { ...account, userId: 8 }
  await expect(accountVault.copyInstanceKey(7)).rejects.toThrow('secret-missing')
  await accountVault.removeInstanceKey(7)
  user.account = account
  await accountVault.removeInstanceKey(7)
  await settle()
  expect(accountVault.view.value.instanceKeys).toEqual([])
  end.abort()
  await following
})

test('an instance’s own key that could not be saved is copied for as long as any other secret', async () => {
  const { accountVault, clock, system } = setUp()
  await accountVault.copyUnsavedKey('own-key-canary')
  expect(system.clipboard).toBe('own-key-canary')
  await clock.advance(30_000)
  expect(system.clipboard).toBe('')
})

describe('what belongs to another account that is connected', () => {
  const other: VaultAccount = { ...account, serviceAddress: 'https://other.example.com' }
  const setUpTwo = async () => {
    const world = setUp()
    const { accountVault, vault, others } = world
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
    const foreign = await accountVault.addUri(`otpauth://totp/Mail:ada?secret=${secret}`, 'keychain')
    await vault.backupCodes.store({ account: other, codes: ['ABCD-EFGH-0000'], keepIn: 'keychain' })
    const end = new AbortController()
    const following = accountVault.follow(end.signal)
    onTestFinished(async () => {
      end.abort()
      await following
    })
    await settle()
    return { ...world, ids: { theirs: theirs.id, own: own.id, foreign: foreign.id } }
  }

  test('is counted and not shown, its codes neither; what is of this one, or of another service, is', async () => {
    const { accountVault, ids } = await setUpTwo()
    expect(accountVault.view.value.entries.map(({ id }) => id)).toEqual([ids.own, ids.foreign])
    expect(accountVault.view.value).toMatchObject({
      backupSets: [],
      elsewhere: { entries: 1, backupSets: 1 },
    })
    const codes = accountVault.watchCodes()
    const { value } = await codes.next()
    await codes.return()
    expect(value).toMatchObject({ kind: 'shown', codes: [{ id: ids.own }, { id: ids.foreign }] })
  })

  test('is not to be had by its id either', async () => {
    const { accountVault, vault, ids } = await setUpTwo()
    expect(accountVault.own(ids.own)).toBe(ids.own)
    expect(accountVault.own(ids.foreign)).toBe(ids.foreign)
    const theirSet = vault.backupList.listed.value.at(0)?.id ?? ''
    for (const id of [ids.theirs, theirSet]) expect(() => accountVault.own(id)).toThrow('secret-missing')
  })

  test('is not told by name when the same secret is added here', async () => {
    const { accountVault } = await setUpTwo()
    const again = accountVault.addUri('otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 'keychain')
    await expect(again).rejects.toMatchObject({
      problem: { fault: { code: 'in-vault', name: null } },
    })
  })

  test('is shown once that account is signed out, and without any account: it would be nowhere else', async () => {
    const { accountVault, others, user } = await setUpTwo()
    user.account = null
    others.set([])
    await settle()
    expect(accountVault.view.value.entries).toHaveLength(3)
    expect(accountVault.view.value).toMatchObject({
      backupSets: [{ account: other }],
      elsewhere: { entries: 0, backupSets: 0 },
    })
  })
})
