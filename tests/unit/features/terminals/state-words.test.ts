import { plainShell } from '#domain/terminals/shell-wish.ts'
import { expect, it } from 'vitest'
import {
  endText,
  exitText,
  isLive,
  isMendedInSettings,
  stateMark,
} from '../../../../src-renderer/features/terminals/state-words.ts'

const address = { host: '198.51.100.7', port: 40022 }
const offered = { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:abc' }

it.each([
  [{ code: 0, signal: null }, 'The shell ended with exit status 0'],
  [{ code: 130, signal: null }, 'The shell ended with exit status 130'],
  [{ code: null, signal: 'HUP' }, 'Signal HUP ended the shell'],
  [{ code: null, signal: null }, 'The shell ended without an exit status'],
])('%j: %s', (ended, text) => {
  const state = { kind: 'exited' as const, ...ended }
  expect(exitText(state)).toBe(text)
  expect(endText(state)).toMatchObject({ title: text, tone: 'neutral' })
})

it('has nothing to say below a screen that has a shell, or may get one', () => {
  const open = { kind: 'open' as const, address, user: 'root' }
  expect(isLive(open)).toBe(true)
  for (const state of [
    open,
    { kind: 'preparing' as const },
    { kind: 'unknown-host' as const, address, offered },
  ]) {
    expect(endText(state)).toBeNull()
  }
})

it('names the address of a lost connection, and the other one of a changed key', () => {
  const problem = { kind: 'link-lost' as const, detail: 'reset' }
  const lost = { kind: 'reconnecting' as const, problem, address, retryAt: null }
  expect(endText(lost)?.meaning).toContain('198.51.100.7:40022')
  const changed = {
    kind: 'host-key-changed' as const,
    address,
    offered,
    trusted: [],
    file: '/k',
    revoked: false,
  }
  expect(endText(changed)?.nextStep).toContain('Reconnect')
  expect(endText({ ...changed, revoked: true })?.nextStep).toContain('revoked')
  expect(stateMark(changed)).toEqual({ tone: 'bad', label: 'Host key changed' })
})

it('says of a lost connection what becomes of what ran, and where typing goes', () => {
  const problem = { kind: 'link-lost' as const, detail: 'reset' }
  const lost = { kind: 'reconnecting' as const, problem, address, retryAt: 1 }
  const refused = { ...lost, problem: { kind: 'refused' as const } }
  const train = { kind: 'tmux' as const, session: 'train' }
  expect(endText(lost)?.meaning).toContain('Processes in the shell may have ended')
  expect(endText(lost)?.nextStep).toContain('Input is ignored')
  expect(endText(lost, plainShell, true)?.nextStep).toContain('Your input is sent then')
  for (const state of [lost, refused]) {
    const text = endText(state, train)
    expect(text?.meaning).toContain('Processes in the session keep running')
    expect(text?.meaning).not.toContain('may have ended')
    expect(text?.nextStep).toContain('reattaches to the session: tmux train')
  }
})

it('leads to Settings where a key or a user is missing, and not where the network is', () => {
  const failed = { kind: 'failed' as const, address }
  expect(isMendedInSettings({ ...failed, problem: { kind: 'no-keys', skipped: [] } })).toBe(true)
  const problem = {
    kind: 'authentication-failed' as const,
    user: 'root',
    tried: [],
    skipped: [],
    accepts: [],
    partial: false,
  }
  expect(isMendedInSettings({ ...failed, problem })).toBe(true)
  expect(isMendedInSettings({ ...failed, problem: { kind: 'refused' } })).toBe(false)
})
