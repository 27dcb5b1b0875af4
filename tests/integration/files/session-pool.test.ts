import { randomBytes } from 'node:crypto'
import { access, chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client, ClientChannel } from 'ssh2'
import { plainShell } from '#domain/terminals/shell-wish.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import type { TerminalState } from '#domain/terminals/terminal-state.ts'
import { createTerminals } from '#services/terminals/terminals.ts'
import { memoryLog } from '../../support/memory-log.ts'
import type { Connections } from '#services/ssh/connection/connections.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { SessionPool } from '#services/files/session-pool.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { startAsyncSsh } from '../../ssh-servers/asyncssh.ts'
import { startDropbear } from '../../ssh-servers/dropbear.ts'
import { hastyClock } from '../../support/hasty-clock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startProxy } from '../ssh/proxy.ts'
import { connectionsTo, instanceId } from '../ssh/servers/connect.ts'
import { startSshd } from '../ssh/sshd.ts'
import { startHostileServer } from './hostile-server.ts'
import { makeFolder, openFileBrowser, openTransfers } from './instance.ts'
import { placesFor } from '../../support/files/transfer-places.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const authorizedKeys = [publicKey.line]
const top = { path: '', step: null }

/** All that the app does with the files of one instance, over its one connection. */
async function openFiles(address: SshAddress, clock = systemClock) {
  const connections = await connectionsTo(address, privateKey)
  const { acquire: connect, regain } = connections
  const sessions = new SessionPool(clock)
  const local = await makeFolder()
  const browser = openFileBrowser(local, connect, { sessions })
  const transfers = openTransfers({ local, address, connect, regain, sessions, clock })
  const look = () => browser.listRemote(instanceId, top)
  return { connections, sessions, local, look, ...transfers }
}

/** As the app's terminals are, on the same connection. */
async function openShells(connections: Connections, count: number): Promise<Client> {
  const { client, release } = await connections.acquire(instanceId, new AbortController().signal)
  onTestFinished(release)
  for (let index = 0; index < count; index += 1)
    await new Promise<ClientChannel>((resolve, reject) => {
      client.shell({ term: 'xterm' }, (error, channel) => (error ? reject(error) : resolve(channel)))
    })
  return client
}

async function makeLocalFiles(local: string): Promise<readonly string[]> {
  const names = ['one', 'two', 'three']
  for (const name of names) await writeFile(join(local, name), randomBytes(1024 * 1024))
  return names
}

describe.each([
  { allowed: 10, shells: 8 },
  { allowed: 9, shells: 8 },
  { allowed: 1, shells: 0 },
])('a server that allows $allowed sessions, with $shells terminals', ({ allowed, shells }) => {
  test('lists files, and takes three uploads at the same time', async () => {
    const { address, machine } = await startSshd({ authorizedKeys, config: [`MaxSessions ${allowed}`] })
    const { connections, look, local, transfers, over } = await openFiles(address)
    await openShells(connections, shells)
    const names = await makeLocalFiles(local)
    expect(await look()).toMatchObject({ kind: 'listed' })
    const started = names.map(
      (name) =>
        transfers.start({
          ...{ ...placesFor('upload', instanceId), from: local, names: [name] },
          ...{ to: machine.home, honorGitignore: false },
        }).id,
    )
    const looked = look()
    for (const id of started) expect((await over(id)).phase).toEqual({ kind: 'done' })
    expect(await looked).toMatchObject({ kind: 'listed' })
    expect(await readdir(machine.home)).toEqual(expect.arrayContaining([...names]))
  })
})

test('a session that nobody uses makes room for a terminal', async () => {
  const { address } = await startSshd({ authorizedKeys, config: ['MaxSessions 1'] })
  const { connections, sessions, look } = await openFiles(address)
  expect(await look()).toMatchObject({ kind: 'listed' })
  await expect(openShells(connections, 1)).rejects.toThrow('open failed')
  const nothing = (): void => undefined
  const terminals = createTerminals({
    notify: () => undefined,
    labelOf: () => null,
    chooseFile: () => Promise.resolve(null),
    redactLines: (text) => text,
    ...{ connections, knownHostsFile: '', clock: systemClock, log: memoryLog(), randomId: () => 'terminal' },
    makeRoom: (id) => sessions.closeIdle(id),
  })
  onTestFinished(() => terminals.dispose())
  const { terminalId } = terminals.open({ instanceId, wish: plainShell, cols: 80, rows: 24 })
  terminals.attach(terminalId, { post: nothing, listen: nothing, close: nothing })
  let last: TerminalState | null = null
  for await (const state of terminals.watch(terminalId)) {
    last = state
    if (state.kind !== 'connecting') break
  }
  expect(last).toMatchObject({ kind: 'open' })
})

test('a look does not wait behind a copy where the server allows two sessions, and at most two there are', async () => {
  const { address } = await startSshd({ authorizedKeys })
  const { sessions, connections } = await openFiles(address)
  const wish = { instanceId, connect: connections.acquire, signal: new AbortController().signal }
  const first = await sessions.acquire({ ...wish, purpose: 'copy' })
  const others = await Promise.all(
    (['look', 'copy', 'look', 'copy'] as const).map((purpose) => sessions.acquire({ ...wish, purpose })),
  )
  const measures = new Set([first, ...others].map(({ roundTripMs }) => roundTripMs))
  expect(measures.size).toBe(2)
  expect(others[1]?.roundTripMs).toBe(first.roundTripMs)
  // What one of them gives back stays with the others.
  first.close()
  await expect(first.tree.resolve('.')).rejects.toThrow('ended')
  for (const { tree } of others) await expect(tree.resolve('/')).resolves.toBe('/')
})

test('after the connection was lost and made again, the first look is shown', async () => {
  const { address } = await startSshd({ authorizedKeys })
  const proxy = await startProxy(address)
  const { connections, look } = await openFiles(proxy.address)
  // Somebody else needs the connection, too.
  const { ended, release } = await connections.acquire(instanceId, new AbortController().signal)
  onTestFinished(release)
  expect(await look()).toMatchObject({ kind: 'listed' })
  proxy.cut()
  await ended
  expect(await look()).toMatchObject({ kind: 'listed' })
})

test('dropbear: file servers that begin and end one after the other leave the connection and its terminals alone', async () => {
  const server = await startDropbear({ authorizedKeys })
  // In real time: a hurried clock gives a busy server too little of it to end one before the next begins.
  const { connections, sessions, look } = await openFiles(server.address)
  const client = await openShells(connections, 1)
  let isLost = false
  client.on('close', () => (isLost = true))
  const wish = { instanceId, connect: connections.acquire, signal: new AbortController().signal }
  for (let round = 0; round < 15; round += 1) {
    // Two at once, which end together.
    const used = [
      await sessions.acquire({ ...wish, purpose: 'copy' }),
      await sessions.acquire({ ...wish, purpose: 'look' }),
    ]
    for (const { tree } of used) await tree.resolve('.')
    for (const { close } of used) close()
    expect(await look(), `round ${round}`).toMatchObject({ kind: 'listed' })
    void sessions.closeIdle(instanceId)
  }
  expect(isLost).toBe(false)
})

describe('no file server', () => {
  /** Text that a start-up file prints, or a file server that does something else. */
  async function startWithScript(script: string) {
    const sftpServer = join(await makeFolder(), 'sftp-server')
    await writeFile(sftpServer, `#!/bin/sh\n${script}\n`)
    await chmod(sftpServer, 0o755)
    return startSshd({ authorizedKeys, sftpServer })
  }

  test.for([
    { why: 'no-sftp', detail: '', start: () => startAsyncSsh({ authorizedKeys, hasSftp: false }) },
    { why: 'ended', detail: 'exit code 1', start: () => startWithScript('exit 1') },
    { why: 'garbled', detail: '', start: () => startWithScript('echo Hello, and welcome; sleep 1000') },
    // Its first byte has the highest bit set.
    { why: 'garbled', detail: '', start: () => startWithScript('echo → welcome; sleep 1000') },
  ] as const)(
    'is said with the reason, and leaves no session behind ($why)',
    async ({ why, detail, start }) => {
      const { address } = await start()
      const { connections, look, local, run } = await openFiles(address)
      // Keeps the connection.
      await openShells(connections, 0)
      const told = { kind: 'failed', problem: { kind: 'no-files', why, detail } }
      expect(await look()).toEqual(told)
      await mkdir(join(local, 'folder'))
      expect((await run({ direction: 'upload', from: local, names: ['folder'], to: '.' })).phase).toEqual(
        told,
      )
      // As many as OpenSSH allows by itself.
      await openShells(connections, 10)
    },
  )

  test('leaves no session behind where the server refuses SFTP', async () => {
    const { address, openSessions } = await startHostileServer({ hasSftp: false })
    const { look, connections } = await openFiles(address)
    const { release } = await connections.acquire(instanceId, new AbortController().signal)
    onTestFinished(release)
    expect(await look()).toMatchObject({ problem: { kind: 'no-files', why: 'no-sftp' } })
    await waitFor(() => expect(openSessions()).toBe(0))
  })

  test('is said with the reason where terminals take all sessions', async () => {
    const { address } = await startSshd({ authorizedKeys, config: ['MaxSessions 1'] })
    const { connections, look } = await openFiles(address)
    await openShells(connections, 1)
    const problem = { kind: 'no-files', why: 'session-refused', detail: 'open failed' }
    expect(await look()).toEqual({ kind: 'failed', problem })
  })

  test('that begins to answer in time is told as one that has not started', async () => {
    const started = join(await makeFolder(), 'started')
    const { address } = await startWithScript(`: > '${started}'; exec sleep 1000`)
    const clock = hastyClock()
    const { look, connections } = await openFiles(address, clock)
    await openShells(connections, 0)
    const looking = look()
    await waitFor(() => access(started))
    clock.hurry()
    expect(await looking).toEqual({ kind: 'failed', problem: { kind: 'not-started' } })
  })
})
