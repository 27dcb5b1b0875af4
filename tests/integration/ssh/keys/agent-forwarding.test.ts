import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { plainShell } from '#domain/terminals/shell-wish.ts'
import { noSshChoice, type SshChoice } from '#domain/ssh/ssh-choice.ts'
import { Latest } from '#domain/base/latest.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { preferences } from '#domain/settings/settings.ts'
import { createConnections } from '#services/ssh/connection/connections.ts'
import { ForwardedAgent } from '#services/ssh/keys/forwarded-agent.ts'
import { noHostConfig } from '#services/ssh/config/host-config.ts'
import { AddressProbes } from '#services/ssh/connection/address-probes.ts'
import { InstanceRoutes } from '#services/ssh/connection/instance-routes.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { openShell } from '#services/terminals/shell.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { startAgent } from './agent.ts'
import { startSshd, user } from '../sshd.ts'
import { hastyClock } from '../../../support/hasty-clock.ts'
import { patientClock } from '../../../support/patient-clock.ts'
import { waitFor } from '../../../support/wait-for.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('login')
const inAgent = makeEd25519KeyPair('kept in the agent')

/** An instance, and an agent of this computer that holds a key; what was chosen for it can be changed. */
async function connectTo(config: readonly string[] = []) {
  const agent = await startAgent()
  await agent.add(inAgent.privateKey)
  const sshd = await startSshd({ authorizedKeys: [publicKey.line, inAgent.publicKey.line], config })
  const folder = await mkdtemp(join(tmpdir(), 'slipway-agent-forwarding-'))
  const end = new AbortController()
  onTestFinished(async () => {
    end.abort(new Error('the test is over'))
    await rm(folder, { recursive: true })
  })
  let choice: SshChoice = noSshChoice
  const routes = new InstanceRoutes({
    choices: {
      of: () => choice,
      write: (_, next) => Promise.resolve(void (choice = next)),
      latest: new Latest(new Map()),
    },
    preferences: new Latest(preferences.parse({})),
    hostConfig: {
      localUser: user,
      // It asks for it, which is not enough.
      ofInstance: () => Promise.resolve({ ...noHostConfig, forwardAgent: true }),
      ofJumpHost: () => Promise.resolve({ ...noHostConfig, hostName: null, port: null }),
    },
    agentSocket: agent.socket,
    clock: systemClock,
    listed: new Latest({
      instances: [{ id: 7, record: { ssh_host: sshd.address.host, ssh_port: sshd.address.port } }],
    }),
    reached: { addressesOf: () => [], latest: new Latest({}) },
    probes: new AddressProbes({ clock: systemClock }),
  })
  const connections = createConnections({
    findTarget: () => Promise.resolve({ kind: 'address', address: sshd.address }),
    user: () => user,
    identities: () =>
      Promise.resolve({ keys: [{ name: 'login', privateKey }], agentSocket: null, skipped: [] }),
    agentFor: (id) => routes.agentFor(id),
    knownHostsFile: join(folder, 'known_hosts'),
    clock: systemClock,
    random: () => 0.5,
    log: memoryLog(),
  })
  const connecting = connections.acquire(7, end.signal)
  for await (const state of connections.state(7).watch(end.signal)) {
    if (state.kind === 'unknown-host') connections.answerHostKey(7, true, state.offered.fingerprint)
    if (state.kind === 'open') break
  }
  const connection = await connecting

  /** A shell, in which commands can be typed. */
  async function shell() {
    let text = ''
    const opened = await openShell({
      connection,
      size: { cols: 200, rows: 24 },
      wish: plainShell,
      clock: systemClock,
      post: (bytes) => {
        text += Buffer.from(bytes).toString()
      },
      signal: end.signal,
    })
    const run = async (command: string): Promise<string> => {
      text = ''
      opened.write(`${command}; echo "do""ne"\n`)
      await waitFor(() => expect(text).toMatch(/^done/m))
      return text
    }
    return { run, text: () => text }
  }

  return { shell, routes, agent, sshd, folder }
}

/** Lines of known_hosts for a server, under a name of the test's own. */
async function hostKeysOf({ port }: SshAddress, name: string): Promise<string> {
  const { stdout } = await promisify(execFile)('ssh-keyscan', ['-p', String(port), '127.0.0.1'])
  return stdout.replaceAll(/^\S+/gm, name)
}

const on: SshChoice = { ...noSshChoice, forwardAgent: true }

test('the agent is seen on the instance only when that was chosen, and not any more once it is switched off', async () => {
  const { shell, routes } = await connectTo()
  const { run: without } = await shell()
  expect(await without('ssh-add -l')).toMatch(/Could not open a connection to your authentication agent/)

  await routes.choose(7, on)
  const { run: withAgent } = await shell()
  expect(await withAgent('ssh-add -l')).toContain(inAgent.publicKey.fingerprint)
  const { run: another } = await shell()
  expect(await another('ssh-add -l')).toContain(inAgent.publicKey.fingerprint)

  await routes.choose(7, noSshChoice)
  expect(await withAgent('ssh-add -l')).not.toContain(inAgent.publicKey.fingerprint)
  const { run: later } = await shell()
  expect(await later('ssh-add -l')).not.toContain(inAgent.publicKey.fingerprint)
})

test('a server that forwards no agents gives a shell all the same', async () => {
  const { shell, routes } = await connectTo(['AllowAgentForwarding no'])
  await routes.choose(7, on)
  const { run } = await shell()
  expect(await run('echo here')).toContain('here')
  expect(await run('ssh-add -l')).not.toContain(inAgent.publicKey.fingerprint)
})

test('what is switched off ends in the middle of what is done with it', async () => {
  const { shell, routes } = await connectTo()
  await routes.choose(7, on)
  const { run, text } = await shell()
  const hold = `require('node:net').connect(process.env.SSH_AUTH_SOCK, () => console.log('he' + 'ld')).on('close', () => console.log('cut' + ' off'))`
  const held = run(`${process.execPath} -e "${hold}"`)
  await waitFor(() => expect(text()).toContain('held'))
  await routes.choose(7, noSshChoice)
  expect(await held).toContain('cut off')
})

const quietly =
  'ssh -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR'

test('a machine lists its keys and logs in with them, and cannot remove, add or lock any', async () => {
  const { shell, routes, agent, sshd, folder } = await connectTo()
  await routes.choose(7, on)
  const { run } = await shell()
  expect(await run('ssh-add -l')).toContain(inAgent.publicKey.fingerprint)
  expect(await run(`${quietly} -p ${sshd.address.port} 127.0.0.1 'echo in-$((40 + 2))'`)).toContain('in-42')

  const before = await agent.list()
  const planted = join(folder, 'planted')
  await writeFile(planted, makeEd25519KeyPair('planted').privateKey, { mode: 0o600 })
  const askpass = join(folder, 'askpass')
  await writeFile(askpass, '#!/bin/sh\necho secret\n', { mode: 0o755 })
  const refused = ['ssh-add -D', `ssh-add ${planted}`, 'ssh-add -x', 'ssh-add -s /usr/lib/none.so']
  await run(`export SSH_ASKPASS=${askpass} SSH_ASKPASS_REQUIRE=force`)
  for (const command of refused) expect(await run(`${command}; echo "code"-$?`), command).toMatch(/^code-1/m)
  expect(await agent.list()).toBe(before)
  // What was refused before does not stand in the way of what may be asked.
  expect(await run('ssh-add -l')).toContain(inAgent.publicKey.fingerprint)
})

test('keys that are bound to hosts serve a machine only for those that lead on from it', async () => {
  const { shell, routes, agent, sshd, folder } = await connectTo()
  const [local, onward] = [makeEd25519KeyPair('from here only'), makeEd25519KeyPair('by the machine')]
  const elsewhere = await startSshd({ authorizedKeys: [local.publicKey.line, onward.publicKey.line] })
  const hosts = join(folder, 'hosts')
  const lines = [await hostKeysOf(sshd.address, 'machine'), await hostKeysOf(elsewhere.address, 'elsewhere')]
  await writeFile(hosts, lines.join(''))
  await agent.add(local.privateKey, '-H', hosts, '-h', 'elsewhere')
  await agent.add(onward.privateKey, '-H', hosts, '-h', 'machine', '-h', 'machine>elsewhere')
  await routes.choose(7, on)

  const { run } = await shell()
  const seen = await run('ssh-add -l')
  expect(seen).toContain(onward.publicKey.fingerprint)
  expect(seen).not.toContain(local.publicKey.fingerprint)
  const toElsewhere = `${quietly} -p ${elsewhere.address.port} 127.0.0.1`
  expect(await run(`${toElsewhere} 'echo in-$((40 + 2))'`)).toContain('in-42')
  expect(await run(`${toElsewhere} -A 'ssh-add -l'`)).not.toContain(onward.publicKey.fingerprint)
})

test('who asks for it a hundred times in one breath gets it sixteen times, and again when those have ended', async () => {
  const { socket } = await startAgent()
  const forwarded = new ForwardedAgent(socket, () => true, systemClock)
  const bytes = Buffer.from('any')
  const agent = forwarded.over(() => ({ hostKey: bytes, sessionId: bytes, signature: bytes }))
  const ask = () => new Promise<boolean>((resolve) => agent.getStream?.((error) => resolve(error === null)))
  const given = await Promise.all(Array.from({ length: 100 }, ask))
  expect(given.filter(Boolean)).toHaveLength(16)
  forwarded.endAll()
  await waitFor(async () => expect(await ask()).toBe(true))
  forwarded.endAll()
})

/** An agent that takes connections and answers nothing; those that are open. */
async function startSilentAgent() {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-silent-agent-'))
  const socket = join(folder, 'agent.sock')
  const open = new Set<Socket>()
  const server = createServer((line) => {
    open.add(line)
    line.resume().on('close', () => open.delete(line))
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  onTestFinished(async () => {
    for (const line of open) line.destroy()
    server.close()
    await rm(folder, { recursive: true })
  })
  return { socket, open }
}

/** What comes of so many wishes for it. */
function askFor(forwarded: ForwardedAgent, count: number): Promise<readonly string[]> {
  const bytes = Buffer.from('any')
  const agent = forwarded.over(() => ({ hostKey: bytes, sessionId: bytes, signature: bytes }))
  const ask = () =>
    new Promise<string>((resolve) => agent.getStream?.((error) => resolve(error?.message ?? 'given')))
  return Promise.all(Array.from({ length: count }, ask))
}

test('an agent that never answers is left after a while, and asked again later', async () => {
  const { socket, open } = await startSilentAgent()
  const clock = hastyClock()
  const forwarded = new ForwardedAgent(socket, () => true, clock)
  for (let round = 0; round < 2; round += 1) {
    clock.calm()
    const asked = askFor(forwarded, 16)
    await waitFor(() => expect(open.size).toBe(16))
    clock.hurry()
    expect(new Set(await asked)).toEqual(new Set(['the agent does not answer']))
    await waitFor(() => expect(open.size).toBe(0))
  }
})

test('an agent that has not answered yet is let go with the rest', async () => {
  const { socket, open } = await startSilentAgent()
  const forwarded = new ForwardedAgent(socket, () => true, patientClock)
  const asked = askFor(forwarded, 16)
  await waitFor(() => expect(open.size).toBe(16))
  forwarded.endAll()
  expect(new Set(await asked)).toEqual(new Set(['the agent has gone']))
  await waitFor(() => expect(open.size).toBe(0))
})
