import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { findFreePort } from '../../../simulator/free-port.ts'
import { startAgent } from './agent.ts'
import { openTerminal } from '../machine.ts'
import { startSshd, user } from '../sshd.ts'
import { waitFor } from '../../../support/wait-for.ts'

const mine = makeEd25519KeyPair('mine')
const stranger = makeEd25519KeyPair('stranger')

async function logIn(agentSocket: string, keys: readonly { name: string; privateKey: string }[] = []) {
  const { address } = await startSshd({ authorizedKeys: [mine.publicKey.line] })
  const terminal = await openTerminal({ address, user, identities: { keys, agentSocket, skipped: [] } })
  await terminal.trust()
  return terminal
}

describe('the SSH agent', () => {
  test('logs in with the key it holds', async () => {
    const agent = await startAgent()
    await agent.add(stranger.privateKey)
    await agent.add(mine.privateKey)
    const terminal = await logIn(agent.socket)
    await terminal.until('open')
    terminal.type('echo it-is-$((40 + 2))\n')
    await waitFor(() => expect(terminal.text()).toContain('it-is-42'))
  })

  test('comes after the keys that are given', async () => {
    const agent = await startAgent()
    await agent.add(mine.privateKey)
    const terminal = await logIn(agent.socket, [{ name: 'a key', privateKey: stranger.privateKey }])
    await terminal.until('open')
  })

  test('whose keys the machine does not know was tried', async () => {
    const agent = await startAgent()
    await agent.add(stranger.privateKey)
    const terminal = await logIn(agent.socket)
    expect(await terminal.until('failed')).toMatchObject({
      problem: { kind: 'authentication-failed', user, tried: ['the SSH agent'], skipped: [] },
    })
  })

  test('that is not there was not tried, and the keys before it were', async () => {
    const terminal = await logIn('/nonexistent/agent.sock', [
      { name: 'a key', privateKey: stranger.privateKey },
    ])
    expect(await terminal.until('failed')).toMatchObject({
      problem: {
        kind: 'authentication-failed',
        tried: ['a key'],
        skipped: [
          {
            name: 'the SSH agent',
            why: { code: 'not-listed', detail: 'Failed to connect to agent' },
          },
        ],
      },
    })
  })

  test('without a key is no way to log in where the machine takes keys only', async () => {
    const agent = await startAgent()
    const terminal = await openTerminal({
      address: (await startSshd({ authorizedKeys: [mine.publicKey.line] })).address,
      user,
      identities: { keys: [], agentSocket: agent.socket, skipped: [] },
    })
    await terminal.trust()
    expect(await terminal.until('failed')).toMatchObject({
      problem: { kind: 'no-keys', skipped: [{ name: 'the SSH agent', why: { code: 'no-keys' } }] },
    })
  })

  test('that hangs is passed over', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-agent-'))
    const socket = join(folder, 'agent.sock')
    const server = createServer().listen(socket)
    onTestFinished(async () => {
      server.close()
      await rm(folder, { recursive: true })
    })
    const { address } = await startSshd({ authorizedKeys: [mine.publicKey.line] })
    const terminal = await openTerminal({
      address,
      user,
      identities: {
        keys: [{ name: 'a key', privateKey: stranger.privateKey }],
        agentSocket: socket,
        skipped: [],
      },
      // Only the wait for the agent is short: the machine itself has all its time.
      clock: {
        now: systemClock.now,
        sleep: (ms, signal) => systemClock.sleep(ms === 5_000 ? 50 : ms, signal),
      },
    })
    await terminal.trust()
    expect(await terminal.until('failed')).toMatchObject({
      problem: {
        tried: ['a key'],
        skipped: [{ name: 'the SSH agent', why: { code: 'not-listed', detail: 'no answer' } }],
      },
    })
  })

  test('shows a hostile machine at most six keys that nobody has named, and those that are named first', async () => {
    const agent = await startAgent()
    const keys = Array.from({ length: 20 }, () => makeEd25519KeyPair('one of many'))
    for (const { privateKey } of keys) await agent.add(privateKey)
    const wire = keys.map(({ publicKey }) => Buffer.from(publicKey.line.split(' ')[1] ?? '', 'base64'))
    const seen = new Set<string>()
    const hostKey = makeEd25519KeyPair('host').privateKey
    const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
      client.on('error', () => undefined) // it is left when nothing fits
      client.on('authentication', (login) => {
        if (login.method === 'publickey') seen.add(login.key.data.toString('base64'))
        login.reject(['publickey'])
      })
    })
    const port = await findFreePort()
    server.listen(port, '127.0.0.1')
    onTestFinished(() => void server.close())
    const named = wire.slice(17, 19)
    const terminal = await openTerminal({
      address: { host: '127.0.0.1', port },
      user,
      identities: { keys: [], agentSocket: agent.socket, agentKeysFirst: named, skipped: [] },
    })
    await terminal.trust()
    await terminal.until('failed')
    expect([...seen]).toEqual([...named, ...wire.slice(0, 6)].map((key) => key.toString('base64')))
  })

  test('that refuses to sign is named with that', async () => {
    const agent = await startAgent()
    await agent.add(mine.privateKey, '-c')
    const terminal = await logIn(agent.socket)
    expect(await terminal.until('failed')).toMatchObject({
      problem: {
        kind: 'authentication-failed',
        tried: ['the SSH agent'],
        skipped: [{ name: 'a key of the SSH agent', why: { code: 'did-not-sign' } }],
      },
    })
  })

  test('with more keys than the machine lets anybody try: the login failed, not the network', async () => {
    const agent = await startAgent()
    for (let count = 0; count < 8; count += 1) await agent.add(makeEd25519KeyPair('one of many').privateKey)
    const terminal = await logIn(agent.socket)
    expect(await terminal.until('failed')).toMatchObject({
      problem: {
        kind: 'authentication-failed',
        tried: ['the SSH agent'],
        skipped: [
          { name: 'further keys of the SSH agent', why: { code: 'too-many', most: 6 } },
          { name: 'further keys', why: { code: 'no-attempts-left' } },
        ],
      },
    })
  })
})
