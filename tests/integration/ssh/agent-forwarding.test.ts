import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { plainShell } from '../../../src-main/domain/shell-wish.ts'
import { noSshChoice, type SshChoice } from '../../../src-main/domain/ssh-choice.ts'
import { Latest } from '../../../src-main/domain/latest.ts'
import { preferences } from '../../../src-main/domain/settings.ts'
import { createConnections } from '../../../src-main/ssh/connections.ts'
import { ForwardedAgent } from '../../../src-main/ssh/forwarded-agent.ts'
import { noHostConfig } from '../../../src-main/ssh/host-config.ts'
import { InstanceWays } from '../../../src-main/ssh/instance-ways.ts'
import { makeEd25519KeyPair } from '../../../src-main/ssh/key-pair.ts'
import { openShell } from '../../../src-main/ssh/shell.ts'
import { systemClock } from '../../../src-main/system-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { startAgent } from './agent.ts'
import { startSshd, user } from './sshd.ts'
import { waitFor } from '../../support/wait-for.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('login')
const inAgent = makeEd25519KeyPair('kept in the agent')

/** An instance, and an agent of this computer that holds a key; what was chosen for it can be changed. */
async function connectTo(config: readonly string[] = []) {
  const agent = await startAgent()
  await agent.add(inAgent.privateKey)
  const sshd = await startSshd({ authorizedKeys: [publicKey.line], config })
  const folder = await mkdtemp(join(tmpdir(), 'slipway-agent-forwarding-'))
  const end = new AbortController()
  onTestFinished(async () => {
    end.abort(new Error('the test is over'))
    await rm(folder, { recursive: true })
  })
  let choice: SshChoice = noSshChoice
  const ways = new InstanceWays({
    choices: {
      of: () => choice,
      set: (_, next) => Promise.resolve(void (choice = next)),
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
    addressOf: () => sshd.address,
  })
  const connections = createConnections({
    findTarget: () => Promise.resolve({ kind: 'address', address: sshd.address }),
    user: () => user,
    identities: () =>
      Promise.resolve({ keys: [{ name: 'login', privateKey }], agentSocket: null, skipped: [] }),
    agentFor: (id) => ways.agentFor(id),
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

  return { shell, ways }
}

const on: SshChoice = { ...noSshChoice, forwardAgent: true }

test('the agent is seen on the instance only when that was chosen, and not any more once it is switched off', async () => {
  const { shell, ways } = await connectTo()
  const { run: without } = await shell()
  expect(await without('ssh-add -l')).toMatch(/Could not open a connection to your authentication agent/)

  await ways.choose(7, on)
  const { run: withAgent } = await shell()
  expect(await withAgent('ssh-add -l')).toContain(inAgent.publicKey.fingerprint)
  const { run: another } = await shell()
  expect(await another('ssh-add -l')).toContain(inAgent.publicKey.fingerprint)

  await ways.choose(7, noSshChoice)
  expect(await withAgent('ssh-add -l')).not.toContain(inAgent.publicKey.fingerprint)
  const { run: later } = await shell()
  expect(await later('ssh-add -l')).not.toContain(inAgent.publicKey.fingerprint)
})

test('a server that forwards no agents gives a shell all the same', async () => {
  const { shell, ways } = await connectTo(['AllowAgentForwarding no'])
  await ways.choose(7, on)
  const { run } = await shell()
  expect(await run('echo here')).toContain('here')
  expect(await run('ssh-add -l')).not.toContain(inAgent.publicKey.fingerprint)
})

test('what is switched off ends in the middle of what is done with it', async () => {
  const { shell, ways } = await connectTo()
  await ways.choose(7, on)
  const { run, text } = await shell()
  const hold = `require('node:net').connect(process.env.SSH_AUTH_SOCK, () => console.log('he' + 'ld')).on('close', () => console.log('cut' + ' off'))`
  const held = run(`${process.execPath} -e "${hold}"`)
  await waitFor(() => expect(text()).toContain('held'))
  await ways.choose(7, noSshChoice)
  expect(await held).toContain('cut off')
})

test('who asks for it a hundred times in one breath gets it sixteen times, and again when those have ended', async () => {
  const { socket } = await startAgent()
  const forwarded = new ForwardedAgent(socket, () => true)
  const ask = () => new Promise<boolean>((resolve) => forwarded.getStream((error) => resolve(error === null)))
  const given = await Promise.all(Array.from({ length: 100 }, ask))
  expect(given.filter(Boolean)).toHaveLength(16)
  forwarded.endAll()
  await waitFor(async () => expect(await ask()).toBe(true))
  forwarded.endAll()
})
