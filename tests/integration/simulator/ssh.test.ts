import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { processesOf } from '../../simulator/machines/processes.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, rent, show } from './caller.ts'
import { createSshClient, type SshClient } from './ssh-client.ts'

let simulator: Simulator
let client: SshClient

beforeAll(async () => {
  simulator = await startSimulator({ offers: 100, bootSeconds: [10, 10] })
  client = await createSshClient(simulator.sshUser)
})
afterAll(async () => {
  await simulator.close()
  await client.dispose()
})

interface Running {
  readonly id: number
  readonly port: number
  readonly home: string
}

/** Rents a machine whose start script lets our key in, and waits until it runs. */
async function rentRunning(
  order: { onstart?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<Running> {
  const addKey = `mkdir -p ~/.ssh && echo '${client.publicKey}' >> ~/.ssh/authorized_keys`
  const onstart = [addKey, order.onstart ?? ''].join('\n')
  const { id } = await rent(simulator, { ...order, onstart })
  await simulator.clock.advance(20)
  const { actual_status: status, ssh_port: port } = await show(simulator, id)
  expect(status).toBe('running')
  return { id, port, home: simulator.instances.homeOf(id) ?? '' }
}

describe('logging in', () => {
  it('runs a command in the home and the environment of the instance', async () => {
    const { port, home } = await rentRunning({
      env: { GREETING: "it's $HOME", '-p 80:80': '1' },
    })
    const { stdout, status } = await client.ssh(
      port,
      'pwd; echo "$HOME" ~; echo "$GREETING"; echo "[$CONTAINER_API_KEY]"; exit 7',
    )
    expect(stdout.split('\n')).toEqual([home, `${home} ${home}`, "it's $HOME", '[]', ''])
    expect(status).toBe(7)
  })

  it('gives an interactive shell with the prompt of the instance', async () => {
    const { id, port } = await rentRunning()
    const { stdout, status } = await client.shell(port, 'echo $((6 * 7))\nexit 3\n', '-tt')
    expect(stdout).toContain(`root@instance-${String(id)}:~# `)
    expect(stdout).toMatch(/^(.*\r)?42\r$/m)
    expect(status).toBe(3)
  })

  it('transfers files from and to the home', async () => {
    const { port, home } = await rentRunning({ onstart: 'echo hello > greeting.txt' })
    const { stdout, status } = await client.sftp(port, 'pwd\nls\nrename greeting.txt moved.txt\n')
    expect(status).toBe(0)
    expect(stdout).toContain(`Remote working directory: ${home}`)
    expect(stdout).toContain('greeting.txt')
    expect(existsSync(join(home, 'moved.txt'))).toBe(true)
  })

  it('is refused without a key that was let in', async () => {
    const { id } = await rent(simulator)
    await simulator.clock.advance(20)
    const { status, stderr } = await client.ssh((await show(simulator, id)).ssh_port, 'true')
    expect(status).toBe(255)
    expect(stderr).toContain('Permission denied (publickey)')
  })

  it("lets the account's SSH key in from the start", async () => {
    const { key } = simulator.account('default', { sshKey: client.publicKey })
    const tenant = { baseUrl: simulator.baseUrl, key }
    const { id } = await rent(tenant)
    await simulator.clock.advance(20)
    const { stdout } = await client.ssh((await show(tenant, id)).ssh_port, 'echo in')
    expect(stdout).toBe('in\n')
  })

  it('does not wait for a start script that never ends', async () => {
    const { port } = await rentRunning({ onstart: 'sleep 1000' })
    expect((await client.ssh(port, 'echo in')).stdout).toBe('in\n')
  })
})

describe('the SSH key of the account', () => {
  it.each([
    ['lets its owner in', true, 0],
    ['does not where the service is told not to install it', false, 255],
  ])('%s', async (_what, isKeyInstalled, status) => {
    const account = simulator.account('default', { sshKey: client.publicKey, isKeyInstalled })
    const { id } = await rent({ ...simulator, key: account.key })
    await simulator.clock.advance(20)
    const { ssh_port: port } = await show({ ...simulator, key: account.key }, id)
    expect((await client.ssh(port, 'true')).status).toBe(status)
  })
})

describe('bad luck', () => {
  it('replaces a host key, which the client notices', async () => {
    const { id, port } = await rentRunning()
    expect((await client.ssh(port, 'true')).status).toBe(0)
    await simulator.instances.replaceHostKey(id)
    const { status, stderr } = await client.ssh(port, 'true')
    expect(status).toBe(255)
    expect(stderr).toContain('REMOTE HOST IDENTIFICATION HAS CHANGED')
  })

  it('takes sshd down and up again, with the same port and host key, while the service says running', async () => {
    const { id, port } = await rentRunning()
    expect((await client.ssh(port, 'true')).status).toBe(0)
    const sshd = (state: string): ReturnType<typeof call> =>
      call(simulator, 'POST', `/_simulator/instances/${String(id)}/sshd`, { body: { state } })
    await sshd('down')
    expect((await client.ssh(port, 'true')).stderr).toContain('Connection refused')
    expect((await show(simulator, id)).actual_status).toBe('running')
    await sshd('up')
    expect((await client.ssh(port, 'true')).status).toBe(0)

    // An sshd that ends may hold its port a moment longer.
    await sshd('down')
    const holder = createServer().listen(port, '127.0.0.1')
    await once(holder, 'listening')
    const up = sshd('up')
    await sleep(600)
    holder.close()
    await up
    expect((await client.ssh(port, 'true')).status).toBe(0)
  })

  it('serves nobody who has come while sshd was taken down', async () => {
    const { id, port } = await rentRunning()
    let isDown = false
    const down = simulator.instances.setSshd(id, 'down').then(() => (isDown = true))
    const ends: Promise<unknown>[] = []
    while (!isDown) {
      const socket = connect(port, '127.0.0.1')
      // Refused, or cut.
      socket.on('error', () => undefined)
      socket.resume()
      ends.push(new Promise((resolve) => socket.on('close', resolve)))
      await sleep(1)
    }
    await down
    expect(ends).not.toEqual([])
    await Promise.all(ends)
  })

  it('cuts connections when an instance falls into exited', async () => {
    const { id, port, home } = await rentRunning()
    const connection = client.ssh(port, 'touch connected; sleep 1000')
    await expect.poll(() => existsSync(join(home, 'connected'))).toBe(true)
    await simulator.instances.setFate(id, 'exited')
    expect((await connection).status).toBe(255)
    expect((await client.ssh(port, 'true')).stderr).toContain('Connection refused')
  })
})

describe('its two addresses', () => {
  const directPort = (ports: Readonly<Record<string, unknown>>): number =>
    z.object({ '22/tcp': z.tuple([z.object({ HostPort: z.coerce.number() })]) }).parse(ports)['22/tcp'][0]
      .HostPort

  it('are different ones of one machine, and each can be blocked', async () => {
    const { id, port: proxy } = await rentRunning()
    const direct = directPort((await show(simulator, id)).ports)
    expect(direct).not.toBe(proxy)
    for (const port of [direct, proxy]) expect((await client.ssh(port, 'echo in')).stdout).toBe('in\n')

    await simulator.instances.blockSsh(id, 'direct', 'refused')
    expect((await client.ssh(direct, 'true')).stderr).toContain('Connection refused')
    expect((await client.ssh(proxy, 'echo in')).stdout).toBe('in\n')

    const order = { body: { address: 'proxy', blocked: 'silent' } }
    await call(simulator, 'POST', `/_simulator/instances/${String(id)}/ssh`, order)
    const socket = connect(proxy, '127.0.0.1')
    await once(socket, 'connect')
    const heard: Buffer[] = []
    socket.on('data', (piece: Buffer) => heard.push(piece))
    socket.write('SSH-2.0-test\r\n')
    const closed = once(socket, 'close')
    await simulator.instances.blockSsh(id, 'proxy', null)
    await closed
    expect(heard).toEqual([])
    expect((await client.ssh(proxy, 'echo in')).stdout).toBe('in\n')

    await simulator.instances.blockSsh(id, 'direct', null)
    expect((await client.ssh(direct, 'echo in')).stdout).toBe('in\n')
  })

  it('end what is connected when one is blocked, and nothing that was detached', async () => {
    const { id, port, home } = await rentRunning()
    const detached = "setsid sh -c 'while sleep 0.1; do echo >> beats; done' < /dev/null > /dev/null 2>&1 &"
    await client.ssh(port, detached)
    const connection = client.ssh(port, 'touch connected; sleep 1000')
    await expect.poll(() => existsSync(join(home, 'connected'))).toBe(true)
    await simulator.instances.blockSsh(id, 'direct', 'refused')
    expect((await connection).status).toBe(255)
    const beats = (): number => statSync(join(home, 'beats')).size
    const before = beats()
    await expect.poll(beats).toBeGreaterThan(before)
  })
})

describe('the end', () => {
  it('stopping ends every process and keeps the files', async () => {
    const { id, port, home } = await rentRunning()
    await client.ssh(port, 'echo kept > file; nohup sleep 1000 > /dev/null 2>&1 &')
    expect(await processesOf(dirname(home))).not.toEqual([])
    await call(simulator, 'PUT', `/api/v0/instances/${String(id)}/`, { body: { state: 'stopped' } })
    expect(await processesOf(dirname(home))).toEqual([])
    expect(existsSync(join(home, 'file'))).toBe(true)
  })

  it('destroying leaves no process, no folder and no connection', async () => {
    const { id, port, home } = await rentRunning({ onstart: '(setsid sleep 1000 &)' })
    const connection = client.ssh(port, 'touch connected; sleep 1000')
    await expect.poll(() => existsSync(join(home, 'connected'))).toBe(true)
    await call(simulator, 'DELETE', `/api/v0/instances/${String(id)}/`)
    expect((await connection).status).toBe(255)
    expect(await processesOf(dirname(home))).toEqual([])
    expect(existsSync(dirname(home))).toBe(false)
  })

  it('starts fifty machines at once and ends them with the simulator', async () => {
    const many = await startSimulator({ offers: 50, bootSeconds: [1, 1] })
    const ids: number[] = []
    for (let count = 0; count < 50; count += 1) ids.push((await rent(many)).id)
    await many.clock.advance(2)
    const records = await Promise.all(ids.map((id) => show(many, id)))
    expect(records.filter((record) => record.actual_status === 'running')).toHaveLength(50)
    expect(new Set(records.map((record) => record.ssh_port)).size).toBe(50)
    const folders = ids.map((id) => dirname(many.instances.homeOf(id) ?? ''))
    await many.close()
    for (const folder of folders) expect(await processesOf(folder)).toEqual([])
    expect(folders.filter((folder) => existsSync(folder))).toEqual([])
  })
})
