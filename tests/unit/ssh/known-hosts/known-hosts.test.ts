import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import {
  hostName,
  judgeHostKey,
  knownHostsLine,
  parseKnownHosts,
} from '#services/ssh/known-hosts/known-hosts.ts'
import { hashHostName } from '../../../support/hash-host-name.ts'

const wireOf = (line: string): Buffer => Buffer.from(line.split(' ')[1] ?? '', 'base64')
const one = makeEd25519KeyPair('one').publicKey
const two = makeEd25519KeyPair('two').publicKey
const key = wireOf(one.line)
const other = wireOf(two.line)
const base64 = one.line.split(' ')[1]
const host = { host: 'gpu.example.com', port: 40022 }

const judge = (text: string, address = host, shown = key) =>
  judgeHostKey(parseKnownHosts(text), address, shown).kind

describe('a file in OpenSSH’s format', () => {
  test.each([
    ['the host with its port', `[gpu.example.com]:40022 ssh-ed25519 ${base64}`, 'trusted'],
    ['in other case', `[GPU.Example.com]:40022 ssh-ed25519 ${base64}`, 'trusted'],
    ['with a comment', `[gpu.example.com]:40022 ssh-ed25519 ${base64} me@desk`, 'trusted'],
    ['among several names', `a,[gpu.example.com]:40022,b ssh-ed25519 ${base64}`, 'trusted'],
    ['by a pattern', `[*.example.com]:400?2 ssh-ed25519 ${base64}`, 'trusted'],
    ['hashed', `${hashHostName('[gpu.example.com]:40022')} ssh-ed25519 ${base64}`, 'trusted'],
    ['negated', `[*.example.com]:40022,![gpu.example.com]:40022 ssh-ed25519 ${base64}`, 'unknown'],
    ['with another port', `[gpu.example.com]:22222 ssh-ed25519 ${base64}`, 'unknown'],
    ['without its port', `gpu.example.com ssh-ed25519 ${base64}`, 'unknown'],
    [
      'as an authority for certificates',
      `@cert-authority [gpu.example.com]:40022 ssh-ed25519 ${base64}`,
      'unknown',
    ],
    ['revoked', `@revoked [gpu.example.com]:40022 ssh-ed25519 ${base64}`, 'revoked'],
    ['in a line that contradicts itself', `[gpu.example.com]:40022 ssh-rsa ${base64}`, 'unknown'],
    ['commented out', `# [gpu.example.com]:40022 ssh-ed25519 ${base64}`, 'unknown'],
    ['with a marker that nobody knows', `@mine [gpu.example.com]:40022 ssh-ed25519 ${base64}`, 'unknown'],
  ])('%s', (_, text, verdict) => {
    expect(judge(`\n# first\n${text}\n`)).toBe(verdict)
  })

  test('one of several keys is enough; another key is a change, and the lines are named', () => {
    const text = `\n${knownHostsLine(host, two.algorithm, other)}\n${knownHostsLine(host, one.algorithm, key)}\n`
    expect(judge(text)).toBe('trusted')
    const third = wireOf(makeEd25519KeyPair('three').publicKey.line)
    const verdict = judgeHostKey(parseKnownHosts(text), host, third)
    expect(verdict).toMatchObject({ kind: 'changed', stored: [{ line: 2 }, { line: 3 }] })
  })

  test('a host on port 22 stands by its name alone', () => {
    const address = { host: 'gpu.example.com', port: 22 }
    expect(knownHostsLine(address, one.algorithm, key)).toBe(`gpu.example.com ssh-ed25519 ${base64}`)
    expect(judge(`gpu.example.com ssh-ed25519 ${base64}`, address)).toBe('trusted')
  })

  test('anything at all can stand in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(['unknown', 'trusted', 'changed', 'revoked']).toContain(judge(text))
      }),
    )
  })

  test('entries are the same whatever stands between them, and name their lines', () => {
    const noise = fc.constantFrom('', '# a comment', '   ', 'a.example.com', '@mine a ssh-ed25519 AAAA', '\t')
    const entry = fc.record({
      marker: fc.constantFrom(null, 'revoked', 'cert-authority'),
      name: fc.domain(),
      separator: fc.constantFrom(' ', '\t', '  '),
      ending: fc.constantFrom('', ' ', ' me@desk', '\r'),
    })
    fc.assert(
      fc.property(fc.array(fc.oneof(noise, entry)), (rows) => {
        const text = rows.map((row) => {
          if (typeof row === 'string') return row
          const words = [row.marker && `@${row.marker}`, row.name, 'ssh-ed25519', key.toString('base64')]
          return words.filter((word) => word !== null).join(row.separator) + row.ending
        })
        const expected = rows.flatMap((row, index) =>
          typeof row === 'string'
            ? []
            : [{ line: index + 1, marker: row.marker, hosts: row.name, algorithm: 'ssh-ed25519', key }],
        )
        expect(parseKnownHosts(text.join('\n'))).toEqual(expected)
      }),
    )
  })

  test('a hashed name is found by its host, and by no other', () => {
    fc.assert(
      fc.property(fc.domain(), fc.domain(), (mine, another) => {
        const text = `${hashHostName(mine)} ssh-ed25519 ${base64}`
        expect(judge(text, { host: mine, port: 22 })).toBe('trusted')
        if (mine !== another) expect(judge(text, { host: another, port: 22 })).toBe('unknown')
      }),
    )
  })

  test('a pattern fits as its stars and question marks say', () => {
    const letter = fc.constantFrom('a', 'b', '.')
    const pattern = fc.string({
      unit: fc.oneof(letter, fc.constantFrom('*', '?')),
      minLength: 1,
      maxLength: 8,
    })
    const name = fc.string({ unit: letter, minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(pattern, name, (wanted, shown) => {
        const source = wanted.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')
        const verdict = judge(`${wanted} ssh-ed25519 ${base64}`, { host: shown, port: 22 })
        expect(verdict).toBe(new RegExp(`^${source}$`).test(shown) ? 'trusted' : 'unknown')
      }),
    )
  })

  test('a pattern of many stars is judged in no time', () => {
    const begin = performance.now()
    const name = { host: 'a'.repeat(60), port: 22 }
    for (const pattern of ['*'.repeat(60) + 'x', '*a'.repeat(30) + 'x'])
      expect(judge(`${pattern} ssh-ed25519 ${base64}`, name)).toBe('unknown')
    expect(performance.now() - begin).toBeLessThan(15_000)
  })

  test('what is written is found again, and only for its own host', () => {
    const address = fc.record({ host: fc.domain(), port: fc.integer({ min: 1, max: 65_535 }) })
    fc.assert(
      fc.property(address, address, (mine, another) => {
        const text = `${knownHostsLine(mine, one.algorithm, key)}\n`
        expect(judge(text, mine)).toBe('trusted')
        expect(judge(text, mine, other)).toBe('changed')
        if (hostName(mine) !== hostName(another)) expect(judge(text, another)).toBe('unknown')
      }),
    )
  })
})

describe('OpenSSH’s own tools', () => {
  function withFile<T>(text: string, work: (file: string) => T): T {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-known-'))
    try {
      const file = join(folder, 'file')
      writeFileSync(file, text, { mode: 0o600 })
      return work(file)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  test.each([
    ['plain', knownHostsLine(host, one.algorithm, key)],
    ['hashed', `${hashHostName(hostName(host))} ssh-ed25519 ${base64}`],
  ])('find a host that we wrote %s', (_, line) => {
    const found = withFile(`${line}\n`, (file) =>
      execFileSync('ssh-keygen', ['-F', hostName(host), '-f', file]).toString(),
    )
    expect(found).toContain(base64)
  })

  test('read the private key, and see the same fingerprint', () => {
    const pair = makeEd25519KeyPair('slipway')
    const shown = withFile(pair.privateKey, (file) =>
      execFileSync('ssh-keygen', ['-l', '-f', file]).toString(),
    )
    expect(shown).toContain(pair.publicKey.fingerprint)
    const line = withFile(pair.privateKey, (file) =>
      execFileSync('ssh-keygen', ['-y', '-f', file]).toString(),
    )
    expect(line.trim()).toBe(pair.publicKey.line)
  })
})
