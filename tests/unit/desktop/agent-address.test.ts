import { expect, test } from 'vitest'
import { findAgentAddress } from '../../../src-main/desktop/agent-address.ts'

const none = (): readonly string[] => {
  throw new Error('there are no pipes here')
}

test('SSH_AUTH_SOCK has the first word on every system', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    expect(findAgentAddress({ platform, env: { SSH_AUTH_SOCK: '/run/agent' }, pipes: none })).toBe(
      '/run/agent',
    )
})

test('without it there is no agent on Linux and macOS', () => {
  for (const env of [{}, { SSH_AUTH_SOCK: '' }])
    for (const platform of ['linux', 'darwin'] as const)
      expect(findAgentAddress({ platform, env, pipes: none })).toBeNull()
})

test('on Windows its own agent is found, else the user’s Pageant, never another user’s', () => {
  const at = (...names: string[]) =>
    findAgentAddress({ platform: 'win32', env: { USERNAME: 'Ada' }, pipes: () => names })
  const pageant = 'pageant.ada.0f3c'
  expect(at('lsass', pageant, 'openssh-ssh-agent')).toBe(String.raw`\\.\pipe\openssh-ssh-agent`)
  expect(at('lsass', pageant)).toBe(String.raw`\\.\pipe\pageant.ada.0f3c`)
  expect(at('lsass', 'pageant.eve.77aa', 'pageant')).toBeNull()
})
