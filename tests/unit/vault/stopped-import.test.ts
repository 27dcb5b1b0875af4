import { randomBytes } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { sealExport, type ExportedVault } from '#services/vault/export-file.ts'
import { VaultImportExport } from '#services/vault/import-export.ts'
import { setUpVault, type VaultUnderTest } from './set-up-vault.ts'

const account = { serviceAddress: 'https://rent.example.com', userId: 7 }
const passphrase = 'correct horse battery'
const parameters = { algorithm: 'sha1', digits: 6, period: 30 } as const

function transferOf({ vault, clock }: VaultUnderTest): VaultImportExport {
  return new VaultImportExport({
    totp: vault.totp,
    totpList: vault.totpList,
    backupCodes: vault.backupCodes,
    backupList: vault.backupList,
    chooseFile: () => Promise.resolve(null),
    now: clock.now,
    randomBytes,
    cost: 2 ** 15,
  })
}

function setUp() {
  const world = setUpVault()
  return { ...world, transfer: transferOf(world) }
}

type World = ReturnType<typeof setUp>

/** Another secret for each. */
const secretOf = (number: number): string => `JBSWY3DPEHPK3PX${'ABCDEFGHIJKLMNOP'.charAt(number)}`
const addresses = Array.from(
  { length: 12 },
  (_, number) => `otpauth://totp/Git:${number}?secret=${secretOf(number)}`,
)
const list = addresses.join('\n')

/** The keychain, or the disk, fails from the write of the entry after so many. */
function failAfter({ backend, index }: World, count: number, how: 'locked' | 'broken' | 'full'): void {
  const set = backend.set.bind(backend)
  const written = new Set<string>()
  const writing = vi.spyOn(backend, 'set').mockImplementation((name, value) => {
    if (name.startsWith('totp/') || name.startsWith('backup/')) written.add(name)
    if (written.size > count) {
      writing.mockRestore()
      if (how === 'full') index.diskIsFull = true
      else backend.mode = how
    }
    return set(name, value)
  })
}

const labels = ({ vault }: World) =>
  vault.totpList.listed.value.map(({ label, keptIn }) => ({ label, keptIn }))
const inBoth = (inKeychain: number) =>
  addresses.map((_, number) => ({
    label: `${number}`,
    keptIn: number < inKeychain ? 'keychain' : 'memory',
  }))

describe('an import that is stopped midway', () => {
  test.each([
    ['locked', { kind: 'keychain-locked' }],
    ['broken', { kind: 'keychain-unavailable' }],
    ['full', { kind: 'storage-failed' }],
  ] as const)('says what it added and what stopped it, and goes on: %s', async (how, problem) => {
    const world = setUp()
    failAfter(world, 5, how)
    await expect(world.transfer.importText(list, null, 'keychain')).resolves.toMatchObject({
      added: 5,
      leftOut: [],
      stopped: { problem, of: 12 },
    })
    // Nothing more of it was added, so nothing is told but that.
    if (how !== 'full')
      await expect(world.transfer.importText(list, null, 'keychain')).rejects.toThrow(problem.kind)
    world.backend.mode = 'open'
    world.index.diskIsFull = false
    await expect(world.transfer.importText(list, null, 'keychain')).resolves.toMatchObject({
      added: 7,
      leftOut: [{ why: 'in-vault', count: 5 }],
      stopped: null,
    })
    expect(labels(world)).toEqual(inBoth(12))
  })

  test('goes on in memory, and adds nothing twice though the keychain is closed', async () => {
    const world = setUp()
    failAfter(world, 5, 'locked')
    await world.transfer.importText(list, null, 'keychain')
    await expect(world.transfer.importText(list, null, 'memory')).resolves.toMatchObject({
      added: 7,
      leftOut: [{ why: 'in-vault', count: 5 }],
      stopped: null,
    })
    expect(labels(world)).toEqual(inBoth(5))
  })

  test('of a keychain that was closed before takes all to memory, and asks it once', async () => {
    const before = setUp()
    await before.transfer.importText(addresses.slice(0, 5).join('\n'), null, 'keychain')
    const world = before.restart()
    const { vault, backend } = world
    const transfer = transferOf(world)
    backend.mode = 'locked'
    backend.calls.length = 0
    await vault.totp.add(
      { issuer: 'Mail', label: 'bob', secret: secretOf(15), parameters, uri: null },
      'memory',
    )
    // What is in memory is known all the same.
    const text = `${list}\notpauth://totp/Mail:bob?secret=${secretOf(15)}`
    await expect(transfer.importText(text, null, 'memory')).resolves.toMatchObject({
      added: 12,
      leftOut: [{ why: 'in-vault', entries: [{ name: 'Mail: bob' }] }],
      stopped: null,
    })
    expect(backend.calls.filter((call) => call.startsWith('get totp/'))).toHaveLength(1)
    await expect(transfer.importText(text, null, 'keychain')).rejects.toThrow('keychain-locked')
  })

  test('of one whose entry is gone adds it anew', async () => {
    const { transfer, backend } = setUp()
    await transfer.importText(addresses[0] ?? '', null, 'keychain')
    for (const name of backend.entries.keys()) if (name.startsWith('totp/')) backend.entries.delete(name)
    await expect(transfer.importText(addresses[0] ?? '', null, 'keychain')).resolves.toMatchObject({
      added: 1,
    })
  })
})

const entryOf = (number: number, secret = secretOf(number)): ExportedVault['entries'][number] => ({
  issuer: 'Git',
  label: `${number}`,
  parameters,
  secret,
  lastStep: null,
  state: 'active',
  account,
  methodId: number,
})
const setOf = (code: string): ExportedVault['backupSets'][number] => ({
  account,
  standing: 'current',
  codes: [{ code, state: 'unused' }],
})

function seal(entries: ExportedVault['entries'], backupSets: ExportedVault['backupSets'] = []) {
  return sealExport({ entries, backupSets }, { passphrase, madeAtMs: 0, cost: 2 ** 15, randomBytes })
}

describe('a Slipway export', () => {
  test.each([
    [1, { added: 1, backupSets: 0, stopped: { problem: { kind: 'keychain-locked' }, of: 2 } }],
    [2, { added: 2, backupSets: 0, stopped: { problem: { kind: 'keychain-locked' }, of: 2 } }],
    [3, { added: 2, backupSets: 1, stopped: { problem: { kind: 'keychain-locked' }, of: 2 } }],
  ])('that is stopped after %i says what was added, and the rest follows', async (count, report) => {
    const world = setUp()
    const text = await seal([entryOf(0), entryOf(1)], [setOf('ABCD-EFGH-0000'), setOf('ABCD-EFGH-0001')])
    failAfter(world, count, 'locked')
    await expect(world.transfer.importText(text, passphrase, 'keychain')).resolves.toMatchObject(report)
    world.backend.mode = 'open'
    await expect(world.transfer.importText(text, passphrase, 'keychain')).resolves.toMatchObject({
      added: 2 - report.added,
      backupSets: 2 - report.backupSets,
      stopped: null,
    })
    expect(world.vault.totpList.listed.value).toHaveLength(2)
    expect(world.vault.backupList.listed.value).toHaveLength(2)
  })

  test('with what is too long for the keychain names it, and the rest is added', async () => {
    const { transfer, vault } = setUp()
    const text = await seal([entryOf(0, 'é'.repeat(1000)), entryOf(1)])
    await expect(transfer.importText(text, passphrase, 'keychain')).resolves.toMatchObject({
      added: 1,
      leftOut: [{ why: 'too-long', entries: [{ name: 'Git: 0', line: null }] }],
      stopped: null,
    })
    expect(vault.totpList.listed.value).toMatchObject([{ label: '1' }])
  })
})

test('an address that would not fit the keychain by its bytes is added without it', async () => {
  const { transfer, vault } = setUp()
  const name = 'é'.repeat(900)
  await expect(
    transfer.importText(`otpauth://totp/Git:ada?secret=${secretOf(0)}&x=${name}`, null, 'keychain'),
  ).resolves.toMatchObject({ added: 1, leftOut: [] })
  const { id } = vault.totpList.listed.value[0] ?? { id: '' }
  await expect(vault.totp.secretOf(id)).resolves.toMatchObject({
    uri: `otpauth://totp/Git:ada?secret=${secretOf(0)}&issuer=Git`,
  })
})
