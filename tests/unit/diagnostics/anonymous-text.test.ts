import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anonymize } from '#services/diagnostics/anonymous-text.ts'
import { diagnosticsText, type DiagnosticFacts } from '#domain/diagnostics/diagnostics.ts'
import { Redactor } from '#domain/base/redact.ts'

const kim = { homeFolders: ['/home/kim'], hosts: ['ssh5.rental.example', '203.0.113.7', 'gw'] }

describe('what is given to strangers', () => {
  test.each([
    ['/home/kim/.config/Slipway/logs', '~/.config/Slipway/logs'],
    ['kim.doe+gpu@mail.example.com was refused', '[e-mail] was refused'],
    ['https://cloud.example.com/api/v0/asks', 'https://[address]/api/v0/asks'],
    ['root@ssh5.rental.example:40022', 'root@[address]:40022'],
    ['root@198.51.100.9:22', 'root@[address]:22'],
    ['https://kim:pw@host:8443/x and https://kim@host', 'https://[address]:8443/x and https://[address]'],
    ['https://kim:p@w@cloud.example.com/x', 'https://[address]/x'],
    ['https://[2001:db8::17]:443/', 'https://[address]:443/'],
    ['getaddrinfo ENOTFOUND SSH5.rental.example', 'getaddrinfo ENOTFOUND [address]'],
    ['through gw.', 'through [address].'],
    ['to 2001:db8::17 and fe80:0:0:0:1:2:3:4', 'to [address] and [address]'],
  ])('%s', (text, safe) => {
    expect(anonymize(text, kim)).toBe(safe)
  })

  test('keeps what helps: times, versions, this computer, names of files', () => {
    const text = '[2026-11-21 16:58:58.123] Chrome 138.0.7204.100 http://127.0.0.1:4100 ::1 vault-index.json'
    expect(anonymize(text, kim)).toBe(text)
  })

  test('a short name of a jump host is not taken out of other words', () => {
    expect(anonymize('gwen, my-gw, gw-2, gw_old and a.gw', kim)).toBe(
      'gwen, my-gw, gw-2, gw_old and a.[address]',
    )
  })

  test('who logs in goes also where addresses may be told', () => {
    expect(anonymize('https://kim:pw@host:8443/x', { ...kim, hosts: null })).toBe('https://host:8443/x')
  })

  test('addresses stay when they may be told, names and e-mails do not', () => {
    expect(anonymize('/home/kim 203.0.113.7 a@b.example', { ...kim, hosts: null })).toBe(
      '~ 203.0.113.7 [e-mail]',
    )
  })

  test.each(['a', '.a', 'a@', '-'])('a line of half a million characters takes no time: %s', (part) => {
    const line = `x@${part.repeat(500_000 / part.length)}:1`
    const start = performance.now()
    anonymize(line, kim)
    // By each of its characters again it would be minutes.
    expect(performance.now() - start).toBeLessThan(15_000)
  })

  test('a home folder that a link leads to goes by both its paths, one of which may be part of the other', () => {
    const linked = { homeFolders: ['/home/kim', '/var/home/kim', '/disk/kim'], hosts: [] }
    expect(anonymize('/home/kim/a /var/home/kim/b /disk/kim/c', linked)).toBe('~/a ~/b ~/c')
  })

  test('a home folder of Windows goes in each way that it is written', () => {
    const windows = { homeFolders: ['C:\\Users\\Kim'], hosts: [] }
    expect(anonymize('C:\\Users\\Kim\\a "C:\\\\Users\\\\Kim\\\\b" C:/Users/Kim/c', windows)).toBe(
      '~\\a "~\\\\b" ~/c',
    )
  })
})

const facts: DiagnosticFacts = {
  at: 0,
  program: {
    version: '1.0.0',
    isDevelopment: false,
    electron: '45',
    chrome: '140',
    node: '24',
    platform: 'linux x64',
    isSandboxOff: false,
  },
  folders: { data: '/home/kim/.config/Slipway', log: '/home/kim/.config/Slipway/logs/slipway.log' },
  keychain: { kind: 'available' },
  clock: { kind: 'unchecked', lastCheckedAtMs: null },
  service: null,
  connections: { open: 2 },
}

test('the diagnostics say that the sandbox is off, and nothing of it otherwise', () => {
  const program = { ...facts.program, isSandboxOff: true }
  expect(diagnosticsText({ ...facts, program }, [])).toContain('linux x64, sandbox off\n')
  expect(diagnosticsText(facts, [])).not.toContain('sandbox')
})

/** Whatever is entered as a secret: at least as long as what is looked for, and not a word of the report itself. */
const secrets = fc
  .string({ minLength: 6, maxLength: 60, unit: 'binary' })
  .filter((secret) => !diagnosticsText(facts, []).includes(secret) && !'[redacted]'.includes(secret))

const writtenAs: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `The key ${secret} was refused`,
  (secret) => JSON.stringify({ detail: secret }),
  (secret) => JSON.stringify({ detail: secret }, null, 2),
  (secret) => `passphrase: '${secret}'`,
]

test('no secret that was ever entered is in the diagnostics, however it came into the log', () => {
  fc.assert(
    fc.property(
      fc.array(secrets, { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat({ max: writtenAs.length - 1 }), { minLength: 5, maxLength: 5 }),
      (entered, ways) => {
        const redactor = new Redactor()
        for (const secret of entered) redactor.remember(secret)
        const lines = entered.map((secret, index) => (writtenAs[ways[index] ?? 0] ?? String)(secret))
        const text = anonymize(redactor.redact(diagnosticsText(facts, lines)), kim)
        for (const secret of entered) {
          expect(text).not.toContain(secret)
          const quoted = JSON.stringify(secret).slice(1, -1)
          if (!'[redacted]'.includes(quoted)) expect(text).not.toContain(quoted)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('a secret that is the beginning of another leaves nothing of that one behind', () => {
  const redactor = new Redactor()
  redactor.remember('abc123')
  redactor.remember('abc123-and-the-rest')
  expect(redactor.redact('got abc123-and-the-rest')).toBe('got [redacted]')
})
