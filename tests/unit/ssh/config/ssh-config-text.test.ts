import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noSshChoice, type SshChoice } from '#domain/ssh/ssh-choice.ts'
import { sshAddressesOf } from '#domain/ssh/ssh-address.ts'
import {
  configText,
  includesFile,
  isWritablePath,
  withInclude,
  withoutInclude,
} from '#services/ssh/config/ssh-config-text.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const own = '/home/kim/.config/Slip way/ssh_config'
const defaults = {
  user: 'root',
  identityFiles: [],
  jumpHosts: '',
  knownHostsFile: '/home/kim/.config/Slip way/known_hosts',
}
const entry = { instanceId: 7, address: { host: '203.0.113.7', port: 40_022 }, choice: noSshChoice }

/** What OpenSSH itself makes of a configuration, by its own names. */
async function opensshReads(text: string, host: string): Promise<ReadonlyMap<string, string>> {
  const folder = await temporaryFolder()
  const file = join(folder, 'config')
  await writeFile(file, text)
  const { stdout } = await promisify(execFile)('ssh', ['-G', '-F', file, host])
  return new Map(stdout.split('\n').map((line) => [line.replace(/ .*/, ''), line.replace(/^\S+ /, '')]))
}

describe('Slipway’s own file', () => {
  test('is read by OpenSSH as it is meant', async () => {
    const text = configText([entry], { ...defaults, identityFiles: ['/home/kim/my keys/id'] })
    const read = await opensshReads(text, 'slipway-7')
    expect(read.get('hostname')).toBe('203.0.113.7')
    expect(read.get('port')).toBe('40022')
    expect(read.get('user')).toBe('root')
    expect(read.get('identityfile')).toBe('/home/kim/my keys/id')
    expect(read.get('userknownhostsfile')).toMatch(
      /\.ssh\/known_hosts \/home\/kim\/\.config\/Slip way\/known_hosts$/,
    )
  })

  test('changes nothing for other hosts', async () => {
    const read = await opensshReads(configText([entry], defaults), 'example.com')
    expect(read.get('hostname')).toBe('example.com')
    expect(read.get('port')).toBe('22')
  })

  test('has no line that a service’s host name put there', () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.constantFrom('-oProxyCommand=x', 'a\n  ProxyCommand x', '"', 'a b', '%h', '$(x)', '*'),
    )
    fc.assert(
      fc.property(hostile, (ssh_host) => {
        const { proxy } = sshAddressesOf({ ssh_host, ssh_port: 22 })
        const entries = proxy === null ? [] : [{ ...entry, address: proxy }]
        const lines = configText(entries, defaults).split('\n')
        const known =
          /^(#.*|\s*|Host slipway-7|  HostName [a-z0-9.:-]+|  (Port|User) \w+|  UserKnownHostsFile .*)$/
        expect(lines.filter((line) => !known.test(line))).toEqual([])
      }),
    )
  })

  test('goes the way that was chosen, for the instance or for all, and past others where it is direct', async () => {
    const read = async (choice: SshChoice, jumpHosts = ''): Promise<ReadonlyMap<string, string>> => {
      const text = configText([{ ...entry, choice }], { ...defaults, jumpHosts })
      return opensshReads(`${text}\nHost *\n  ProxyJump theirs\n  ForwardAgent no\n`, 'slipway-7')
    }
    const hosts = 'ops@one:2222,[::1]'
    const through: SshChoice = { ...noSshChoice, via: { kind: 'jump', hosts }, forwardAgent: true }
    expect((await read(through)).get('proxyjump')).toBe('ops@one:2222,[::1]')
    expect((await read(through)).get('forwardagent')).toBe('yes')
    expect((await read(noSshChoice, 'for-all')).get('proxyjump')).toBe('for-all')
    expect((await read(noSshChoice)).get('proxyjump')).toBe('theirs')
    expect((await read(noSshChoice)).get('forwardagent')).toBe('no')
    const direct = await read({ ...noSshChoice, via: { kind: 'direct' } }, 'for-all')
    expect(direct.has('proxyjump')).toBe(false)
  })

  test('leaves out a path that would mean something else to ssh', () => {
    for (const path of ['/a/%h', '/a/"b', '/a/$HOME', '/a/*', '/a\nHost *'])
      expect(configText([entry], { ...defaults, identityFiles: [path] })).not.toContain('IdentityFile')
  })
})

describe('the user’s file', () => {
  const theirs = '# mine\nHost *\n  ForwardAgent no\n\nHost work\n\tHostName 10.0.0.1 # here\n'

  test('gets the line above everything else, so that it holds for all hosts', () => {
    const text = withInclude(theirs, own)
    expect(text.endsWith(theirs)).toBe(true)
    expect(includesFile(theirs, own)).toBe(false)
    expect(includesFile(text, own)).toBe(true)
  })

  test('is the same, byte for byte, once the line is out again', () => {
    const line = fc.oneof(
      fc.constantFrom('Host *', '  User kim', '# remark', '', 'Include other', 'Match all', '\tPort 22  '),
      fc.string().filter((text) => !/["\r\n]/.test(text)),
    )
    const file = fc
      .tuple(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.boolean())
      .map(([lines, end, isClosed]) => lines.join(end) + (isClosed ? end : ''))
    fc.assert(
      fc.property(file, (text) => {
        expect(withoutInclude(withInclude(text, own), own)).toBe(text)
      }),
    )
  })

  test('keeps what was written around the line meanwhile', () => {
    const edited = withInclude(theirs, own).replace(/\n\n# mine/, '\nHost new\n  Port 23\n# mine')
    expect(withoutInclude(edited, own)).toBe(`Host new\n  Port 23\n${theirs}`)
  })

  test.each([
    [`Include other "${own}"`, true],
    [`INCLUDE "${own}"`, true],
    [`Host a\n  Include "${own}"`, false],
    [`# Include "${own}"`, false],
  ])('includes it or not by what OpenSSH would read: %s', (text, isIncluded) => {
    expect(includesFile(text, own)).toBe(isIncluded)
  })
})

test('a path with quotes, wildcards, variables or line ends cannot be written into a configuration', () => {
  expect(isWritablePath('/home/kim/Library/Application Support/Slipway/ssh_config')).toBe(true)
  for (const path of ['/a"b', '/a*b', '/a?b', '/a[b]', '/a$b', '/a%b', '/a\nb'])
    expect(isWritablePath(path)).toBe(false)
})
