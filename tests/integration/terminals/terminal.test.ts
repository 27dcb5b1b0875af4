import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { hostName } from '#services/ssh/known-hosts/known-hosts.ts'
import { openTerminal, startMachine, type Machine } from '../ssh/machine.ts'
import { digestOfFlood, flood, recordingScreen } from '../ssh/screen.ts'
import { waitFor } from '../../support/wait-for.ts'
import { hashHostName } from '../../support/hash-host-name.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let machine: Machine
let user: string
beforeAll(async () => {
  machine = await startMachine()
  user = machine.service.sshUser
})
afterAll(() => machine.end())

const open = (options: Partial<Parameters<typeof openTerminal>[0]> = {}) =>
  openTerminal({ address: machine.address, identities: machine.identities, user, ...options })

describe('a host that is not known', () => {
  test('is asked about with its fingerprint, and trusted from then on', async () => {
    const terminal = await open()
    const offered = await terminal.trust()
    await terminal.until('open')
    expect(offered).toMatchObject({ algorithm: 'ssh-ed25519' })
    expect(await readFile(terminal.knownHostsFile, 'utf8')).toMatch(
      new RegExp(`^\\[127\\.0\\.0\\.1\\]:${machine.address.port} ssh-ed25519 \\S+\n$`),
    )
    terminal.reconnect()
    await terminal.until('open') // without a question
  })

  test('declined, nothing is kept and nothing is sent', async () => {
    const terminal = await open()
    const { offered } = await terminal.until('unknown-host')
    terminal.answer(false, offered.fingerprint)
    expect(await terminal.until('failed')).toMatchObject({ problem: { kind: 'host-key-refused' } })
    await expect(readFile(terminal.knownHostsFile)).rejects.toThrow('ENOENT')
  })

  test('an answer for another key than the one shown does not count', async () => {
    const terminal = await open()
    await terminal.until('unknown-host')
    expect(() => terminal.answer(true, 'SHA256:other')).toThrow('invalid-input')
  })
})

describe('a known host', () => {
  const otherKey = makeEd25519KeyPair('other').publicKey.line.split(' ').slice(0, 2).join(' ')

  async function knownHosts(text: string): Promise<string> {
    const folder = await temporaryFolder()
    const file = join(folder, 'known_hosts')
    await writeFile(file, text)
    return file
  }

  test('with another key is refused, naming the line; forgetting that line asks anew', async () => {
    const file = await knownHosts(
      `# mine\nexample.com ${otherKey}\n${hostName(machine.address)} ${otherKey}\n`,
    )
    const terminal = await open({ knownHostsFile: file })
    expect(await terminal.until('host-key-changed')).toMatchObject({
      file,
      revoked: false,
      trusted: [{ line: 3, algorithm: 'ssh-ed25519' }],
    })
    await terminal.forget()
    await terminal.trust()
    await terminal.until('open')
    const text = await readFile(file, 'utf8')
    expect(text).toContain(`# mine\nexample.com ${otherKey}\n`)
    expect(text).not.toContain(`${hostName(machine.address)} ${otherKey}`)
  })

  test('whose name is hashed is found', async () => {
    const file = await knownHosts(`${hashHostName(hostName(machine.address))} ${otherKey}\n`)
    const terminal = await open({ knownHostsFile: file })
    await terminal.until('host-key-changed')
  })

  test('whose key is revoked is refused for good', async () => {
    const first = await open()
    await first.trust()
    await first.until('open')
    const line = (await readFile(first.knownHostsFile, 'utf8')).trim()
    const file = await knownHosts(`@revoked ${line}\n${line}\n`)
    const terminal = await open({ knownHostsFile: file })
    expect(await terminal.until('host-key-changed')).toMatchObject({ revoked: true })
    await expect(terminal.forget()).rejects.toThrow('invalid-input')
  })

  test('a list that cannot be read means that nobody is trusted', async () => {
    const folder = await temporaryFolder()
    await chmod(folder, 0o700)
    const terminal = await open({ knownHostsFile: folder }) // a folder is no file
    expect(await terminal.until('failed')).toMatchObject({ problem: { kind: 'known-hosts-unusable' } })
  })
})

describe('a shell', () => {
  async function shell() {
    const terminal = await open()
    await terminal.trust()
    await terminal.until('open')
    return terminal
  }

  test('runs what is typed, and tells its exit status', async () => {
    const terminal = await shell()
    terminal.type('echo it-is-$((40 + 2))\n')
    await waitFor(() => expect(terminal.text()).toContain('it-is-42'))
    terminal.type('exit 7\n')
    expect(await terminal.until('exited')).toEqual({ kind: 'exited', code: 7, signal: null })
  })

  test('knows the size of its window', async () => {
    const terminal = await shell()
    terminal.resize(133, 47)
    terminal.type('stty size\n')
    await waitFor(() => expect(terminal.text()).toContain('47 133'))
  })

  test('after the end, a new one goes on with the same port and the same count of bytes', async () => {
    const terminal = await shell()
    terminal.type('exit\n')
    await terminal.until('exited')
    terminal.reconnect()
    await terminal.until('open')
    terminal.type('seq 100000 | tail -1; echo more-$((1 + 1))\n')
    await waitFor(() => expect(terminal.text()).toContain('more-2'))
  })

  test('a message that the contract does not know closes the port', async () => {
    const terminal = await shell()
    terminal.send({ kind: 'taken', bytes: -1 })
    await terminal.closed
  })
})

describe('a flood', () => {
  test('arrives byte for byte, with never more outstanding than the credit', async () => {
    const bytes = 32 * 1024 * 1024
    // Busy with other things.
    const screen = recordingScreen(2)
    const terminal = await open({ take: screen.take })
    await terminal.trust()
    await terminal.until('open')
    expect(await flood(terminal, screen, bytes)).toBe(digestOfFlood(bytes))
    expect(screen.mostUntaken()).toBeLessThanOrEqual(4 * 1024 * 1024)
  })

  test('stops at its source while the screen takes nothing, and goes on when it does', async () => {
    let received = 0
    let total = 0
    let isTaking = true
    const waiting: (() => void)[] = []
    const terminal = await open({
      take: (piece, taken) => {
        received += piece.length
        const take = (): void => {
          total += piece.length
          taken(total)
        }
        if (isTaking) take()
        else waiting.push(take)
      },
    })
    await terminal.trust()
    await terminal.until('open')
    isTaking = false
    const before = received
    terminal.type('yes\n')
    await waitFor(() => expect(received - before).toBeGreaterThan(64 * 1024))
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const held = received - before
    expect(held).toBeLessThanOrEqual(256 * 1024)
    isTaking = true
    terminal.type('\u0003')
    for (const take of waiting.splice(0)) take()
    terminal.type('echo free-$((1 + 1))\n')
    await waitFor(() => expect(terminal.text()).toContain('free-2'))
    // After Ctrl-C only what was on its way still came.
    expect(received - before).toBeLessThanOrEqual(2 * 1024 * 1024)
  })
})

describe('no connection', () => {
  test('a port that refuses', async () => {
    const terminal = await open({ address: { host: '127.0.0.1', port: 1 } })
    expect(await terminal.until('failed')).toMatchObject({ problem: { kind: 'refused' } })
  })

  test('something that is no SSH server', async () => {
    const web = await listen((_, response) => response.end('hello'))
    const terminal = await open({ address: web })
    expect(await terminal.until('failed')).toMatchObject({ problem: { kind: 'not-ssh' } })
  })

  test('a key that the machine does not know: says which were tried', async () => {
    const { privateKey } = makeEd25519KeyPair('stranger')
    const skipped = [{ name: '~/.ssh/id_rsa', why: { code: 'no-file' } }] as const
    const identities = { keys: [{ name: 'a stranger’s key', privateKey }], agentSocket: null, skipped }
    const terminal = await open({ identities })
    await terminal.trust()
    expect(await terminal.until('failed')).toMatchObject({
      problem: {
        kind: 'authentication-failed',
        user,
        tried: ['a stranger’s key'],
        skipped,
        accepts: ['publickey'],
        partial: false,
      },
    })
  })

  test('no key at all: said where the machine takes nothing else', async () => {
    const terminal = await open({ identities: { keys: [], agentSocket: null, skipped: [] } })
    await terminal.trust()
    expect(await terminal.until('failed')).toMatchObject({ problem: { kind: 'no-keys' } })
  })

  test('a link that is lost is said, and can be taken up again', async () => {
    const terminal = await open()
    await terminal.trust()
    await terminal.until('open')
    await machine.service.instances.setSshd(machine.id, 'down')
    await waitFor(async () => {
      const { problem, retryAt } = await terminal.until('reconnecting')
      expect(problem).toEqual({ kind: 'refused' })
      expect(retryAt).toBeGreaterThan(Date.now())
    })
    await machine.service.instances.setSshd(machine.id, 'up')
    terminal.reconnect() // and does not wait for its time
    await terminal.until('open')
  })
})

async function listen(handler: RequestListener) {
  const server = createServer(handler)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { host: '127.0.0.1', port: address.port }
}
