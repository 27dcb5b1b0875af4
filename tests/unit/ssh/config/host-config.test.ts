import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostConfigOf, type HostConfig } from '#services/ssh/config/host-config.ts'

const question = {
  names: ['slipway-7', 'ssh4.rent.example'],
  user: 'root',
  localUser: 'kim',
  homeFolder: '/home/kim',
  include: () => Promise.resolve([]),
}
const read = (text: string, files: Readonly<Record<string, readonly string[]>> = {}): Promise<HostConfig> =>
  hostConfigOf(text, { ...question, include: (pattern) => Promise.resolve(files[pattern] ?? []) })

describe('a configuration', () => {
  test.each([
    ['the address', 'Host ssh4.rent.example'],
    ['a pattern', 'Host other *.rent.example'],
    ['Slipway’s name for it', 'host=slipway-7'],
    ['a Match', 'Match originalhost "*.rent.example,x" user root localuser kim'],
    ['what it is not', 'Match host *.rent.example !user bob'],
  ])('counts for a machine that it names by %s', async (_, block) => {
    expect(await read(`${block}\n  User ada\n  IdentityFile ~/.ssh/rented\n`)).toEqual({
      user: 'ada',
      identityFiles: ['~/.ssh/rented'],
      identitiesOnly: false,
      via: null,
      forwardAgent: false,
      trouble: null,
    })
  })

  test.each([
    'Host other',
    'Host *.rent.example !slipway-*',
    'Match host *.rent.example exec "touch /nonexistent"',
    'Match !exec false',
    'Match user bob',
    'Match canonical host *.rent.example',
  ])('does not count for others: %s', async (block) => {
    expect(await read(`${block}\n  User ada\n  IdentityFile ~/.ssh/rented\n`)).toMatchObject({
      user: null,
      identityFiles: [],
    })
  })

  test.each(['', 'Host *\n', 'Match all\n'])('for every host gives keys and no user: %j', async (block) => {
    const text = `${block}User kim\nIdentityFile "~/my key"\nIdentitiesOnly yes\n`
    expect(await read(text)).toMatchObject({ user: null, identityFiles: ['~/my key'], identitiesOnly: true })
  })

  test('gives the first of two values, and all identity files', async () => {
    const text =
      'Host slipway-7\nUser one\nIdentityFile /a\nHost slipway-*\nUser two\nIdentityFile /b\nIdentityFile /a'
    expect(await read(text)).toMatchObject({ user: 'one', identityFiles: ['/a', '/b'] })
  })

  test('is followed into what it includes, which ends with its file', async () => {
    const files = { 'work/*': ['Host other\n  User no', 'Host slipway-7\n  User ada'], deep: ['User eve'] }
    expect((await read('Include work/*\nHost slipway-7\n  User late', files)).user).toBe('ada')
    expect((await read('Host slipway-7\n  Include deep', files)).user).toBe('eve')
    expect((await read('Host other\n  Include deep\n  User no', files)).user).toBeNull()
  })

  test('that includes itself is refused', async () => {
    await expect(read('Include me', { me: ['Include me'] })).rejects.toThrow('too deep')
  })

  test('fills in what is known of this computer, and leaves out what only ssh could', async () => {
    const paths = ['%d/.ssh/%u%%1', 'none', '%h', '~/${KEY}', 'relative', '~/ok']
    expect((await read(paths.map((path) => `IdentityFile ${path}`).join('\n'))).identityFiles).toEqual([
      '/home/kim/.ssh/kim%1',
      '~/ok',
    ])
  })

  test('of any kind gives a user that is a name, or is refused', async () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('User', 'Host slipway-7', '-oProxyCommand=x', '"', '\n'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(word), async (words) => {
        const { user } = await read(`Host slipway-7\nUser ${words.join(' ')}`).catch(() => ({ user: null }))
        if (user !== null) expect(user).toMatch(/^[A-Za-z_][\w.-]*$/)
      }),
    )
  })
})
