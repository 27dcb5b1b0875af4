import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { execute } from '#services/ssh/connection/execute.ts'
import type { OpenPort } from '#domain/forwards/open-port.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { findFreePort } from '../../simulator/free-port.ts'
import { waitFor } from '../../support/wait-for.ts'
import { echo, serve, startWorld } from './world.ts'

/** After an answer that comes late the next look is half a minute away. */
const untilSeen = (check: () => void): Promise<void> => waitFor(check, { timeoutMs: 90_000 })

/** A connection that stands, and the ports that are seen over it: of all of this computer's, a test looks at its own. */
async function watching(options: Parameters<typeof startWorld>[0] = {}) {
  const world = await startWorld(options)
  const net = join(world.sshd.machine.home, '..', 'root', 'proc', 'net')
  await mkdir(net, { recursive: true })
  await symlink('/proc/net/tcp', join(net, 'tcp'))
  const there = await serve(echo)
  await world.open({
    kind: 'local',
    entrance: { port: await findFreePort(), reach: 'loopback' },
    to: { host: '127.0.0.1', port: there.port },
  })
  const stop = new AbortController()
  let seen: readonly OpenPort[] = []
  const following = (async () => {
    for await (const ports of world.ports.watch(1, stop.signal)) seen = ports
  })()
  onTestFinished(async () => {
    stop.abort()
    await following
  })
  return { world, find: (port: number): OpenPort | undefined => seen.find((one) => one.port === port) }
}

describe('ports of an instance', () => {
  test('are found while a terminal is open, and only those that opened since are new', async () => {
    const before = await serve(echo, await findFreePort())
    const { world, find } = await watching()
    await untilSeen(() =>
      expect(find(before.port)).toEqual({ port: before.port, isNew: false, isJupyter: false }),
    )

    const opened = await serve(echo, await findFreePort())
    await untilSeen(() => expect(find(opened.port)?.isNew).toBe(true))
    world.ports.dismiss(1, opened.port)
    await untilSeen(() => expect(find(opened.port)?.isNew).toBe(false))
    opened.close()
    await untilSeen(() => expect(find(opened.port)).toBeUndefined())
    const again = await serve(echo, opened.port)
    await untilSeen(() => expect(find(again.port)?.isNew).toBe(false))

    world.setTerminal(false)
    await untilSeen(() => expect(find(before.port)).toBeUndefined())
  })

  test('are looked at without keeping a session from shells', async () => {
    const { world, find } = await watching({ sshdConfig: ['MaxSessions 1'] })
    const own = await serve(echo, await findFreePort())
    await untilSeen(() => expect(find(own.port)).toBeDefined())
    await world.ports.makeRoom(1)
    const lease = world.connections.join(1)
    if (lease === null) throw new Error('no connection')
    const { code } = await execute({
      ...{ client: lease.client, command: 'exit 7', id: 'own', clock: systemClock },
      signal: new AbortController().signal,
      onOutput: () => undefined,
    })
    lease.release()
    expect(code).toBe(7)
  })

  test('are Jupyter’s where its files say so: its forward is called that, and opened at an address', async () => {
    const { world, find } = await watching()
    const folder = join(world.sshd.machine.home, '.local', 'share', 'jupyter', 'runtime')
    await mkdir(folder, { recursive: true })
    const own = await serve(echo, await findFreePort())
    const told = { port: own.port, base_url: '/', secure: false, token: 'canary42' }
    await writeFile(join(folder, 'jpserver-7.json'), JSON.stringify(told, null, 2))
    await untilSeen(() => expect(find(own.port)?.isJupyter).toBe(true))
    const { id } = await world.forwards.forwardPort(1, own.port)
    await world.until(id, 'open')
    expect(world.shown(id)).toMatchObject({ isJupyter: true, name: '', browserHost: '127.16.0.1' })
    expect(world.log.lines.join('\n')).not.toContain('canary42')
  })
})

describe('a port that is forwarded by a click', () => {
  async function page() {
    const port = await findFreePort()
    const server = createServer((request, response) => void response.end(`page ${request.url}`))
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return port
  }

  test('gets the next free port where its own is in use, once, and keeps path, query, and fragment', async () => {
    const { world } = await watching()
    const port = await page()
    const [{ id }, second] = await Promise.all([
      world.forwards.forwardPort(1, port),
      world.forwards.forwardPort(1, port),
    ])
    expect(second).toEqual({ id })
    await world.until(id, 'open')
    expect(await world.forwards.forwardPort(1, port)).toEqual({ id })
    const { entrance } = world.shown(id).plan
    expect(entrance.port).toBeGreaterThan(port)

    const entry = '/a/b?token=canary42&x=1#part'
    expect(await world.forwards.openInBrowser(id, 'http', { entry })).toBe('opened')
    const address = world.opened.at(-1) ?? ''
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]+$/)
    const reply = await fetch(address, { redirect: 'manual' })
    // With a token it may be Jupyter, which takes no names.
    expect(reply.headers.get('location')).toBe(`http://127.16.0.1:${entrance.port}${entry}`)
    expect(await (await fetch(reply.headers.get('location') ?? '')).text()).toBe(
      'page /a/b?token=canary42&x=1',
    )

    await world.forwards.change(id, world.shown(id).plan, 'Web UI')
    await world.until(id, 'open')
    await world.forwards.openInBrowser(id, 'http')
    expect(world.opened.at(-1)).toBe(`http://web-ui-1.localhost:${entrance.port}/`)
    expect(world.file.value.at(-1)).toMatchObject({ id, name: 'Web UI' })
    expect([...world.log.lines, ...world.opened].join('\n')).not.toContain('canary42')

    await world.forwards.stop(id)
    expect(await world.forwards.forwardPort(1, port)).toEqual({ id })
    await world.until(id, 'open')
    expect(world.shown(id).plan).toMatchObject({ to: { host: 'localhost', port } })
  })

  test('has a forward of its own beside one that is off and open to the network', async () => {
    const { world } = await watching()
    const port = await page()
    const to = { host: 'localhost', port }
    const entrance = { port: await findFreePort(), reach: 'network' } as const
    const { id } = await world.forwards.add({
      instanceId: 1,
      plan: { kind: 'local', entrance, to },
      takeFree: false,
    })
    await world.until(id, 'open')
    expect(await world.forwards.forwardPort(1, port)).toEqual({ id })
    await world.forwards.stop(id)
    const another = await world.forwards.forwardPort(1, port)
    expect(another).not.toEqual({ id })
    await world.until(another.id, 'open')
    expect(world.shown(another.id).plan.entrance.reach).toBe('loopback')
    expect(world.shown(id).state.kind).toBe('stopped')
  })

  test('keeps what goes through it when it gets a name, and stays off when it is', async () => {
    const { world } = await watching()
    const there = await serve(echo, await findFreePort())
    const { id } = await world.forwards.forwardPort(1, there.port)
    await world.until(id, 'open')
    const { plan } = world.shown(id)
    const socket = connect(plan.entrance.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const isSent = (): Promise<unknown> => once(socket, 'data')
    socket.write('before')
    await isSent()
    await world.forwards.change(id, plan, 'Training')
    socket.write('after')
    await isSent()
    expect(world.shown(id)).toMatchObject({ name: 'Training', state: { kind: 'open' } })
    await world.forwards.stop(id)
    await world.forwards.change(id, plan, 'Later')
    expect(world.shown(id)).toMatchObject({ name: 'Later', state: { kind: 'stopped' } })
  })

  test('is opened at an address where browsers don’t find names', async () => {
    const { world } = await watching({ platform: 'darwin' })
    const { id } = await world.forwards.forwardPort(1, await page())
    await world.until(id, 'open')
    expect(world.shown(id).browserHost).toMatch(/^127\./)
  })

  test('is opened at an address where another program has ::1', async () => {
    const { world } = await watching()
    const port = await findFreePort()
    const other = createServer().listen(port, '::1')
    onTestFinished(() => void other.close())
    const to = { host: 'localhost', port: await page() }
    const plan = { kind: 'local', entrance: { port, reach: 'loopback' }, to } as const
    const { id } = await world.forwards.add({ instanceId: 1, plan, takeFree: false })
    await world.until(id, 'open')
    expect(world.shown(id).browserHost).toBe('127.16.0.1')
  })
})
