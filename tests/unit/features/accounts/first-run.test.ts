import { describe, expect, test } from 'vitest'
import type { InstancesSnapshot } from '#domain/instances/instance.ts'
import { keyPermissions } from '../../../../src-renderer/features/accounts/key-permissions.ts'
import { stepOf } from '../../../../src-renderer/features/accounts/steps.ts'
import type { SshAccess } from '#domain/ssh/ssh-key.ts'
import { hasLoginKey } from '#shared/ssh/login-key.ts'

describe('a step can be taken up again', () => {
  test('by its address, once an account is connected', () => {
    expect(stepOf('machine', true)).toBe('machine')
    expect(stepOf('ready', true)).toBe('ready')
  })
  test.each([undefined, 'nonsense', ['machine']])('anything else (%s) begins with the first', (asked) => {
    expect(stepOf(asked, true)).toBe('connect')
  })
  test('nobody without an account gets past the first', () => {
    expect(stepOf('ready', false)).toBe('connect')
  })
})

describe('what a key may do', () => {
  const snapshot: InstancesSnapshot = {
    instances: null,
    unreadable: [],
    fetchedAt: null,
    problem: null,
    nextPollAt: null,
    notices: [],
  }
  const read = { userId: 1, user: { id: 1 }, bearer: 'api-key' } as const
  const answers = (
    account: Parameters<typeof keyPermissions>[0],
    list: InstancesSnapshot | null,
  ): readonly string[] => keyPermissions(account, list).map(({ answer }) => answer)

  test('is not known before anything was tried', () => {
    expect(answers({ ...read, user: null }, null)).toEqual([
      'Not known yet',
      'Not known yet',
      'Shown when you first do it',
    ])
    expect(answers(read, snapshot)[1]).toBe('Not known yet')
  })
  test('shows in what was answered', () => {
    expect(answers(read, { ...snapshot, instances: [], fetchedAt: 1 }).slice(0, 2)).toEqual(['Yes', 'Yes'])
  })
  test('and in what was denied', () => {
    const denied = { ...snapshot, problem: { kind: 'not-allowed', code: 'forbidden', message: '' } } as const
    expect(answers(read, denied)[1]).toBe('No')
  })
  test('an account that its key has never read is denied, one that was not asked for is not', () => {
    expect(answers({ ...read, userId: 'key-1', user: null }, null)[0]).toBe('No')
    expect(answers({ ...read, userId: 'key-1' }, null)[0]).toBe('Yes')
  })
  test('what an admin session was answered or denied says nothing of the key', () => {
    const bySession = { ...read, bearer: 'admin-session' } as const
    const listed = { ...snapshot, instances: [], fetchedAt: 1 }
    expect(answers(bySession, listed)).toEqual(['Yes', 'Not known yet', 'Shown when you first do it'])
    const denied = { ...snapshot, problem: { kind: 'not-allowed', code: 'forbidden', message: '' } } as const
    expect(answers(bySession, denied)[1]).toBe('Not known yet')
  })
  test('an unreachable service denies nothing', () => {
    const offline = {
      ...snapshot,
      fetchedAt: 1,
      problem: { kind: 'unreachable', cause: 'timeout', origin: 'https://gpu.example' },
    } as const
    expect(answers(read, offline)[1]).toBe('Yes')
  })
})

describe('there is a way in', () => {
  const nothing: SshAccess = {
    vaultKey: null,
    vaultKeyTrouble: null,
    identityFiles: [],
    otherPassphrases: [],
    hostPasswords: [],
    agent: 'absent',
    onAccount: null,
  }
  test('only with a key, a key file or an agent', () => {
    expect(hasLoginKey(nothing)).toBe(false)
    const path = '/home/me/.ssh/id_ed25519'
    const locked = { path, state: { kind: 'locked', passphrase: 'asked' } } as const
    const gone = { path, state: { kind: 'unusable', why: { code: 'no-file' } } } as const
    expect(hasLoginKey({ ...nothing, identityFiles: [gone, locked] })).toBe(true)
    expect(hasLoginKey({ ...nothing, identityFiles: [gone] })).toBe(false)
    expect(hasLoginKey({ ...nothing, agent: 'available' })).toBe(true)
    const vaultKey = { line: 'ssh-ed25519 AAAA', algorithm: 'ssh-ed25519', fingerprint: 'SHA256:x' }
    expect(hasLoginKey({ ...nothing, vaultKey })).toBe(true)
  })
})
