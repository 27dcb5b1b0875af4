import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ProblemError } from '#domain/base/problem.ts'
import { longestImport, recognizeImport } from '#domain/vault/vault-import.ts'
import { readImport, type ForeignSource } from '#services/vault/imports/read-import.ts'
import {
  aegisEntry,
  bitwardenLogin,
  migrationLink,
  plainAegis,
  plainBitwarden,
  plainTwoFas,
} from '../../../support/vault/authenticator-exports.ts'
import { fault, leftOut, read } from './read.ts'

const secret = 'JBSWY3DPEHPK3PXP'
const sources = ['otpauth', 'google-authenticator', 'aegis', '2fas', 'bitwarden'] as const

/** What a text is read as; a refusal is one that the window has words for. */
async function tryRead(source: ForeignSource, text: string, password = 'p') {
  try {
    return await readImport(source, text, password)
  } catch (error) {
    if (error instanceof ProblemError && error.problem.kind === 'invalid-input') return error.problem
    throw error
  }
}

describe('a hostile file', () => {
  test('with anything in the places of its values is read or refused', async () => {
    const value = fc.oneof(
      { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
      fc.constantFrom<unknown>(secret, 'totp', 'TOTP', 'SHA1', 6, 30, 1, 0, -1, 1e308, '', null, '__proto__'),
    )
    const otp = fc.dictionary(
      fc.constantFrom(
        'secret',
        'algo',
        'algorithm',
        'digits',
        'period',
        'tokenType',
        'account',
        'totp',
        '__proto__',
      ),
      value,
    )
    const entry = fc.oneof(
      value,
      fc.dictionary(
        fc.constantFrom(
          'type',
          'name',
          'issuer',
          'info',
          'otp',
          'login',
          'secret',
          'deletedDate',
          '__proto__',
        ),
        fc.oneof(value, otp),
      ),
    )
    const files = fc
      .array(entry, { maxLength: 5 })
      .chain((entries) =>
        fc.constantFrom(
          ['aegis', plainAegis(entries)] as const,
          ['2fas', plainTwoFas(entries)] as const,
          ['bitwarden', plainBitwarden(entries)] as const,
        ),
      )
    await fc.assert(
      fc.asyncProperty(files, async ([source, text]) => {
        await tryRead(source, text)
      }),
    )
  })

  test('with anything in the place of its encryption is read or refused', async () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom<unknown>('AAAA', 'AAAA:AAAA:AAAA', '2.AAAA|AAAA|AAAA', '00', 1, 2, 8, 2 ** 60, -1, 0.5),
    )
    const slot = fc.record({
      type: fc.constant(1),
      key: value,
      key_params: value,
      n: value,
      r: value,
      p: value,
      salt: value,
    })
    const file = fc.oneof(
      fc.record({ version: value, header: fc.record({ slots: fc.array(slot), params: value }), db: value }),
      fc.record({ schemaVersion: value, services: value, servicesEncrypted: value }),
      fc.record({
        encrypted: fc.constant(true),
        passwordProtected: value,
        salt: value,
        kdfType: fc.constantFrom(0, 1, 2, 'x'),
        kdfIterations: fc.constantFrom<unknown>(1, 0, -1, 1e9, 'x', null),
        encKeyValidation_DO_NOT_EDIT: value,
        data: value,
      }),
    )
    await fc.assert(
      fc.asyncProperty(file, fc.constantFrom(...sources), async (content, source) => {
        await tryRead(source, JSON.stringify(content))
      }),
    )
  })

  test('of any bytes in a link is read or named by its line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const data = Buffer.from(bytes).toString('base64')
        const content = await read(`otpauth-migration://offline?data=${encodeURIComponent(data)}`)
        const count = content.leftOut.reduce((sum, group) => sum + group.count, content.otps.length)
        expect(count).toBeLessThanOrEqual(bytes.length + 1)
      }),
    )
  })

  test.each([
    ['aegis', (inner: string) => `{"version":1,"header":{},"db":{"version":1,"entries":[${inner}]}}`],
    ['2fas', (inner: string) => `{"schemaVersion":4,"services":[${inner}]}`],
    ['bitwarden', (inner: string) => `{"encrypted":false,"items":[${inner}]}`],
  ] as const)('of %s that nests without end is refused', async (source, around) => {
    const depth = 1_000_000
    const text = around(`${'['.repeat(depth)}${']'.repeat(depth)}`)
    expect(recognizeImport(text)).toBeNull()
    await expect(readImport(source, text, '')).rejects.toMatchObject(fault('text', 'damaged'))
  })

  test('of a million entries is refused before one of them is added', async () => {
    const line = `otpauth://totp/a?secret=${secret}\n`
    await expect(read(line.repeat(longestImport / line.length))).rejects.toMatchObject({
      problem: { field: 'text', fault: { code: 'too-many', most: 1000 } },
    })
    const entries = Array.from({ length: 1001 }, (_, index) => aegisEntry(`${index}`, '', secret))
    await expect(read(plainAegis(entries))).rejects.toMatchObject(fault('text', 'too-many'))
    expect((await read(plainAegis(entries.slice(1)))).otps).toHaveLength(1000)
  })

  test('of a million lines that are nothing counts them, and names a few', async () => {
    const lines = 2_000_000
    const content = await read(`otpauth://totp/a?secret=${secret}\n${'x\n'.repeat(lines)}`)
    expect(content.otps).toHaveLength(1)
    expect(content.leftOut).toMatchObject([{ why: 'unreadable', count: lines }])
    expect(content.leftOut[0]?.entries).toHaveLength(20)
  })

  test('names entries in one line, of a bounded length, with nothing that turns the text around', async () => {
    const name = `evil\u202Egnp.\u2066exe\u0000\n\t\u200B${'x'.repeat(100_000)}`
    const content = await read(
      plainBitwarden([
        bitwardenLogin(name, secret),
        bitwardenLogin(name, 'broken'),
        bitwardenLogin(name, `steam://${secret}`),
      ]),
    )
    const shown = [content.otps[0]?.issuer ?? '', ...Object.values(leftOut(content)).flat()]
    expect(shown).toHaveLength(3)
    for (const text of shown) {
      expect(String(text)).toMatch(/^evil gnp\. exe/)
      expect(String(text)).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      expect(String(text).length).toBeLessThanOrEqual(200)
    }
  })

  test.each([
    ['an endless secret', bitwardenLogin('a', 'A'.repeat(7_000_000))],
    ['an endless padding', bitwardenLogin('a', '='.repeat(7_000_000))],
  ])('with %s leaves it out', async (_, item) => {
    expect(leftOut(await read(plainBitwarden([item])))).toMatchObject({
      'broken-secret': [expect.anything()],
    })
  })

  const broken = '&aaaa=%'.repeat(1_100_000)
  test.each([
    ['fields without end', `otpauth://totp/a?secret=${secret}${broken}`],
    ['fields without end in an export', `otpauth-migration://offline?data=AAAA${broken}`],
    [
      'data without end',
      `${migrationLink([{ secret: Buffer.alloc(20), name: 'a' }])}${'A'.repeat(7_000_000)}`,
    ],
  ])('whose address has %s is named by its line, and none of them is read', async (_, link) => {
    const decode = vi.spyOn(globalThis, 'decodeURIComponent')
    onTestFinished(() => {
      decode.mockRestore()
    })
    expect(leftOut(await read(link))).toEqual({ unreadable: [1] })
    expect(decode).not.toHaveBeenCalled()
  })
})
