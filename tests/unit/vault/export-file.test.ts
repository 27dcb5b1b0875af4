import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { recognizeImport } from '#domain/vault/vault-import.ts'
import {
  exportCost,
  openExport,
  sealExport,
  type ExportCost,
  type ExportedVault,
} from '#services/vault/export-file.ts'

const content: ExportedVault = {
  entries: [
    {
      issuer: 'GPU Rental',
      label: 'ada',
      parameters: { algorithm: 'sha1', digits: 6, period: 30 },
      secret: 'CANARYCANARYCANA',
      lastStep: 7,
      state: 'active',
      account: { serviceAddress: 'https://rent.example.com', userId: 7 },
      methodId: 42,
    },
  ],
  backupSets: [
    {
      account: { serviceAddress: 'https://rent.example.com', userId: 7 },
      standing: 'current',
      codes: [{ code: 'CANA-RYCA-NARY', state: 'unused' }],
    },
  ],
}
const passphrase = 'correct horse battery'
const seal = (cost: ExportCost = 2 ** 15) =>
  sealExport(content, { passphrase, madeAtMs: 1, cost, randomBytes })

describe('an encrypted export', () => {
  test('opens with its passphrase, and shows nothing of what is in it', async () => {
    const text = await seal(exportCost)
    expect(recognizeImport(text)).toEqual({ source: 'slipway', needsPassword: true })
    expect(text).not.toContain('CANA')
    expect(Buffer.from(text.split('\n')[1] ?? '', 'base64').toString('latin1')).not.toContain('CANA')
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({
      kdf: { name: 'scrypt', n: 131_072, r: 8, p: 1 },
    })
    await expect(openExport(text, passphrase)).resolves.toEqual({ kind: 'opened', content, madeAtMs: 1 })
    // As an editor of another system may save it.
    await expect(openExport(`\uFEFF${text.replaceAll('\n', '\r\n')}`, passphrase)).resolves.toMatchObject({
      kind: 'opened',
    })
  })

  test('is another one each time', async () => {
    expect(await seal()).not.toBe(await seal())
  })

  test('stays closed for another passphrase; accents may be typed either way', async () => {
    const text = await sealExport(content, {
      passphrase: 'caf\u00e9 caf\u00e9 caf\u00e9',
      madeAtMs: 1,
      cost: 2 ** 15,
      randomBytes,
    })
    await expect(openExport(text, 'cafe\u0301 cafe\u0301 cafe\u0301')).resolves.toMatchObject({
      kind: 'opened',
    })
    await expect(openExport(text, 'caf\u00e9 cafe cafe')).resolves.toEqual({ kind: 'closed' })
  })

  test('stays closed when anything in it was changed, the header too', async () => {
    const text = await seal()
    const [header = '', body = ''] = text.split('\n')
    const flipped = `${body.startsWith('A') ? 'B' : 'A'}${body.slice(1)}`
    await expect(openExport(`${header}\n${flipped}`, passphrase)).resolves.toEqual({ kind: 'closed' })
    const later = header.replace('"madeAtMs":1', '"madeAtMs":2')
    await expect(openExport(`${later}\n${body}`, passphrase)).resolves.toEqual({ kind: 'closed' })
    await expect(openExport(`${header}\n${body.slice(0, 40)}`, passphrase)).resolves.toEqual({
      kind: 'closed',
    })
  })

  test.each([
    ['nothing', () => ''],
    ['no JSON', () => '{"format":"slipway-vault"'],
    ['a version that there never was', (header: string) => header.replace('"version":1', '"version":0')],
    ['a key that would take all memory', (header: string) => header.replace('"n":32768', '"n":1073741824')],
    ['a key that is too cheap', (header: string) => header.replace('"n":32768', '"n":2')],
    ['no body', (header: string) => header],
  ])('is not known when it is %s', async (_, change) => {
    const [header = '', body = ''] = (await seal()).split('\n')
    const text = _ === 'no body' ? header : `${change(header)}\n${body}`
    await expect(openExport(text, passphrase)).resolves.toEqual({ kind: 'unknown' })
  })

  test('is a newer Slipway’s where its version is, whatever else it says', async () => {
    const text = '{"format":"slipway-vault","version":2,"kdf":"otherwise"}\nbody\n'
    await expect(openExport(text, passphrase)).resolves.toEqual({ kind: 'newer' })
  })
})
