import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatJumpHosts, parseJumpHosts } from '#domain/ssh/jump-host.ts'

describe('jump hosts', () => {
  test.each([
    ['bastion', [{ user: null, host: 'bastion', port: null }]],
    ['ops@bastion.example:2222', [{ user: 'ops', host: 'bastion.example', port: 2222 }]],
    ['ssh://ops@bastion/', [{ user: 'ops', host: 'bastion', port: null }]],
    ['kim@corp@[::1]:22', [{ user: 'kim@corp', host: '::1', port: 22 }]],
    [
      ' one , my_two:22 ',
      [
        { user: null, host: 'one', port: null },
        { user: null, host: 'my_two', port: 22 },
      ],
    ],
  ])('are read as ssh -J reads them: %j', (text, hosts) => {
    expect(parseJumpHosts(text)).toEqual(hosts)
  })

  test.each([
    '',
    ',',
    'one,',
    '-oProxyCommand=touch /tmp/x',
    'a;b',
    'a b',
    '$(x)',
    'a@-b',
    '-a@b',
    '@b',
    'a@',
    'b:0',
    'b:65536',
    'b:22:22',
    '::1',
    '999.1.1.1',
    'one,two,three,four,five,six,seven,eight,nine',
    '%h',
    'a\nb',
  ])('are nothing else: %j', (text) => {
    expect(parseJumpHosts(text)).toBeNull()
  })

  test('come back as they were written, and hold nothing that a shell or a file would read otherwise', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const hosts = parseJumpHosts(text)
        if (hosts === null) return
        const written = formatJumpHosts(hosts)
        expect(written).toMatch(/^[\w.@+:,[\]-]+$/)
        expect(parseJumpHosts(written)).toEqual(hosts)
      }),
    )
    const word = fc.stringMatching(/^[a-z0-9_][\w.-]{0,8}(:\d{1,5})?$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
        const hosts = parseJumpHosts(words.join())
        if (hosts !== null) expect(parseJumpHosts(formatJumpHosts(hosts))).toEqual(hosts)
      }),
    )
  })

  test('are taken by OpenSSH itself in the form that is kept', async () => {
    const text = formatJumpHosts(parseJumpHosts('ops@one:2222, [::1]:22 ,kim@corp@two') ?? [])
    const { stdout } = await promisify(execFile)('ssh', ['-G', '-F', 'none', '-J', text, 'there'])
    expect(stdout).toContain(`proxyjump ${text}\n`)
  })
})
