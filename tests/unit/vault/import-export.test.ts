import { randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openExport, sealExport } from '#services/vault/export-file.ts'
import { VaultImportExport } from '#services/vault/import-export.ts'
import { setUpVault } from './set-up-vault.ts'
import { expectMode } from '../../support/file-mode.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const account = { serviceAddress: 'https://rent.example.com', userId: 7 }
const secret = 'CANARYCANARYCANARYCANARY'
const uri = `otpauth://totp/GPU%20Rental:ada?secret=${secret}&issuer=GPU%20Rental`
const passphrase = 'correct horse battery'

async function setUp() {
  const folder = await temporaryFolder()
  const world = setUpVault()
  const { vault, clock } = world
  const place: { name: string | null; suggested: string } = { name: 'export', suggested: '' }
  const transfer = new VaultImportExport({
    totp: vault.totp,
    totpList: vault.totpList,
    backupCodes: vault.backupCodes,
    backupList: vault.backupList,
    chooseFile: async (suggested) => {
      place.suggested = suggested
      return place.name === null ? null : join(folder, place.name)
    },
    now: clock.now,
    randomBytes,
    // Cheap, so that a busy machine does not matter.
    cost: 2 ** 15,
  })
  return { ...world, folder, place, transfer, path: join(folder, 'export') }
}

/** The same export as a version that did not write how old each set is. */
async function withoutAges(text: string): Promise<string> {
  const opened = await openExport(text, passphrase)
  if (opened.kind !== 'opened') throw new Error(opened.kind)
  const { content, madeAtMs } = opened
  const backupSets = content.backupSets.map(({ addedAtMs: _, ...set }) => set)
  return sealExport({ ...content, backupSets }, { passphrase, madeAtMs, cost: 2 ** 15, randomBytes })
}

async function filled() {
  const world = await setUp()
  const { totp, backupCodes } = world.vault
  const { id } = await totp.addPending({ account, uri, secret, label: 'Phone', keepIn: 'keychain' })
  await totp.activate(id, 42)
  await totp.codeFor(id, {})
  await totp.add(
    {
      issuer: 'Mail',
      label: 'bob',
      secret: 'JBSWY3DPEHPK3PXP',
      parameters: { algorithm: 'sha256', digits: 8, period: 60 },
      uri: null,
    },
    'memory',
  )
  await backupCodes.store({ account, codes: ['ABCD-EFGH-0000', 'ABCD-EFGH-0001'], keepIn: 'keychain' })
  await backupCodes.mark(account, 'ABCD-EFGH-0000', 'used')
  return { ...world, id }
}

describe('an encrypted export', () => {
  test('taken to another machine is the same vault', async () => {
    const here = await filled()
    await expect(here.transfer.exportEncrypted(passphrase)).resolves.toEqual({
      path: here.path,
      entries: 2,
      backupSets: 1,
      missing: [],
    })
    expect(here.place.suggested).toBe('slipway-vault-2026-01-01.slipway')
    await expectMode(here.path, 0o600)
    const text = await readFile(here.path, 'utf8')

    const there = await setUp()
    await expect(there.transfer.importText(text, passphrase, 'keychain')).resolves.toEqual({
      source: 'slipway',
      added: 2,
      backupSets: 1,
      leftOut: [],
      missingParts: [],
      stopped: null,
    })
    const [first, second] = there.vault.totpList.listed.value
    expect(first).toMatchObject({
      issuer: 'GPU Rental',
      label: 'Phone',
      state: 'active',
      account,
      methodId: 42,
    })
    expect(second).toMatchObject({
      issuer: 'Mail',
      parameters: { algorithm: 'sha256', digits: 8, period: 60 },
    })
    await expect(there.vault.totp.secretOf(first?.id ?? '')).resolves.toMatchObject({ secret })
    const set = there.vault.backupCodes.current(account) ?? ''
    await expect(there.vault.backupCodes.next(set)).resolves.toBe('ABCD-EFGH-0001')
    // The step that was used here is not used there.
    const next = there.vault.totp.codeFor(first?.id ?? '', {})
    await there.clock.advance(30_000)
    await expect(next).resolves.toMatchObject({ step: Math.floor(there.clock.now() / 30_000) })

    await expect(there.transfer.importText(text, passphrase, 'keychain')).resolves.toEqual({
      source: 'slipway',
      added: 0,
      backupSets: 0,
      leftOut: [
        {
          why: 'in-vault',
          count: 2,
          entries: [
            { name: 'GPU Rental: Phone', line: null },
            { name: 'Mail: bob', line: null },
          ],
        },
      ],
      missingParts: [],
      stopped: null,
    })
  })

  test('makes no codes good again that the service has replaced', async () => {
    const here = await setUp()
    const codes = ['ABCD-EFGH-0000', 'ABCD-EFGH-0001'].map((code) => ({ code, state: 'unused' as const }))
    await here.vault.backupCodes.add(account, codes, 'keychain', { standing: 'outdated' })
    await here.transfer.exportEncrypted(passphrase)
    const there = await setUp()
    await there.transfer.importText(await readFile(here.path, 'utf8'), passphrase, 'keychain')
    expect(there.vault.backupList.listed.value).toMatchObject([{ unused: 2, standing: 'outdated' }])
    expect(there.vault.backupCodes.current(account)).toBeNull()
  })

  test.each([
    ['an export', (text: string) => text],
    // Its header says when it was made, and the codes were there by then.
    ['an export of an older version', withoutAges],
  ])('%s does not put its codes before those that are newer', async (_, asWritten) => {
    const here = await setUp()
    await here.vault.backupCodes.store({ account, codes: ['ABCD-EFGH-0000'], keepIn: 'keychain' })
    await here.transfer.exportEncrypted(passphrase)
    const text = await asWritten(await readFile(here.path, 'utf8'))

    const there = await setUp()
    await there.clock.advance(60_000)
    const { id } = await there.vault.backupCodes.store({
      account,
      codes: ['ZBCD-EFGH-0000'],
      keepIn: 'keychain',
    })
    await there.clock.advance(60_000)
    await expect(there.transfer.importText(text, passphrase, 'keychain')).resolves.toMatchObject({
      backupSets: 1,
    })
    expect(there.vault.backupCodes.current(account)).toBe(id)
    // The other way round, what is newer in the export is used.
    const later = await setUp()
    await later.vault.backupCodes.add(account, [{ code: 'YBCD-EFGH-0000', state: 'unused' }], 'keychain', {
      addedAtMs: later.clock.now() - 60_000,
    })
    await later.transfer.importText(text, passphrase, 'keychain')
    const used = later.vault.backupCodes.current(account) ?? ''
    await expect(later.vault.backupCodes.next(used)).resolves.toBe('ABCD-EFGH-0000')
  })

  test('can be tested, and says what it lacks', async () => {
    const { transfer, path, vault } = await filled()
    await transfer.exportEncrypted(passphrase)
    const text = await readFile(path, 'utf8')
    await vault.totp.add(
      {
        issuer: 'New',
        label: 'since',
        secret: 'GEZDGNBVGY3TQOJQ',
        parameters: { algorithm: 'sha1', digits: 6, period: 30 },
        uri: null,
      },
      'keychain',
    )
    await expect(transfer.testExport(text, passphrase)).resolves.toMatchObject({
      entries: 2,
      backupSets: 1,
      lacks: ['New: since'],
    })
    await expect(transfer.testExport(text, 'another one')).rejects.toMatchObject({
      problem: { field: 'passphrase' },
    })
    await expect(transfer.testExport('something else', passphrase)).rejects.toMatchObject({
      problem: { field: 'text' },
    })
    await expect(transfer.importText(text, null, 'memory')).rejects.toMatchObject({
      problem: { field: 'passphrase' },
    })
  })

  test('names what is missing, and writes the rest', async () => {
    const { transfer, backend, id } = await filled()
    backend.entries.delete(`totp/${id}`)
    await expect(transfer.exportEncrypted(passphrase)).resolves.toMatchObject({
      entries: 1,
      missing: ['GPU Rental: Phone'],
    })
  })

  test('of a locked vault, with a short passphrase, or without a place is not begun', async () => {
    const { transfer, backend, place, folder } = await filled()
    await expect(transfer.exportEncrypted('too short')).rejects.toMatchObject({
      problem: { field: 'passphrase' },
    })
    backend.mode = 'locked'
    await expect(transfer.exportEncrypted(passphrase)).rejects.toThrow('keychain-locked')
    expect(place.suggested).toBe('')
    backend.mode = 'open'
    place.name = null
    await expect(transfer.exportEncrypted(passphrase)).resolves.toBeNull()
    expect(await readdir(folder)).toEqual([])
  })

  test('that cannot be written leaves nothing behind, and what was there stays', async () => {
    const { transfer, folder, place } = await filled()
    await writeFile(join(folder, 'old'), 'kept')
    place.name = join('old', 'below-a-file')
    await expect(transfer.exportEncrypted(passphrase)).rejects.toThrow('storage-failed')
    expect(await readdir(folder)).toEqual(['old'])
    expect(await readFile(join(folder, 'old'), 'utf8')).toBe('kept')
  })
})

describe('a list of otpauth URIs', () => {
  test('is what other authenticators read, and is read again', async () => {
    const here = await filled()
    await here.transfer.exportPlain()
    const text = await readFile(here.path, 'utf8')
    expect(text.split('\n')).toEqual([
      `otpauth://totp/GPU%20Rental:Phone?secret=${secret}&issuer=GPU%20Rental`,
      'otpauth://totp/Mail:bob?secret=JBSWY3DPEHPK3PXP&issuer=Mail&algorithm=SHA256&digits=8&period=60',
      '',
    ])
    const there = await setUp()
    await expect(there.transfer.importText(text, null, 'keychain')).resolves.toMatchObject({ added: 2 })
    expect(there.vault.totpList.listed.value.map(({ account: of }) => of)).toEqual([null, null])
  })

  test('is taken line by line, and what is none is named by its name or its line', async () => {
    const { transfer } = await setUp()
    const lines = ['# from my phone', '', uri, 'nonsense', uri, `otpauth://hotp/a?secret=${secret}`]
    const result = await transfer.importText(lines.join('\r\n'), null, 'keychain')
    expect(result).toMatchObject({
      source: 'otpauth',
      added: 1,
      leftOut: [
        { why: 'counter-based', count: 1, entries: [{ name: 'a', line: 6 }] },
        { why: 'unreadable', count: 1, entries: [{ name: '', line: 4 }] },
        { why: 'in-vault', count: 1, entries: [{ name: 'GPU Rental: ada' }] },
      ],
    })
  })
})
