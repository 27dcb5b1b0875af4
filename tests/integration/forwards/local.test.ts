import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ForwardPlan } from '#domain/forwards/forward.ts'
import { findFreePort } from '../../simulator/free-port.ts'
import { closed, echo, exchange, serve, sha256, startWorld } from './world.ts'
import { launchChromium } from '../../support/launch-chromium.ts'
import { waitFor } from '../../support/wait-for.ts'

function local(port: number, to: { host: string; port: number }): ForwardPlan {
  return {
    kind: 'local',
    entrance: { port, reach: 'loopback' },
    to: { host: to.host, port: to.port },
  }
}

describe('a local forward', () => {
  test('carries every byte both ways, half-open ends too, and counts them', async () => {
    const world = await startWorld()
    const port = await findFreePort()
    const id = await world.open(local(port, await serve(echo)))
    const sent = randomBytes(24 * 1024 * 1024)
    expect(sha256(await exchange(port, sent))).toBe(sha256(sent))
    await waitFor(() =>
      expect(world.shown(id).traffic).toEqual({
        sentBytes: sent.length,
        receivedBytes: sent.length,
        connections: 0,
      }),
    )
  })

  test('holds back a server whose output nobody takes', async () => {
    const world = await startWorld()
    const port = await findFreePort()
    let written = 0
    const flood = Buffer.alloc(64 * 1024)
    const { port: there } = await serve((socket) => {
      const send = (): void => {
        if (socket.destroyed) return
        written += flood.length
        socket.write(flood, send)
      }
      send()
    })
    await world.open(local(port, { host: 'localhost', port: there }))
    const lazy = connect({ port, host: '127.0.0.1' }).on('error', () => undefined)
    await once(lazy, 'connect')
    const quiet = async (): Promise<number> => {
      for (let before = -1; before !== written || written === 0;) {
        before = written
        await new Promise((resolve) => setTimeout(resolve, 300))
      }
      return written
    }
    // The channel's window, ssh2's and the system's buffers: no more than a few of them together.
    expect(await quiet()).toBeLessThan(32 * 1024 * 1024)
    lazy.destroy()
  })

  test('says when nothing listens there, and forgets that once something does', async () => {
    const world = await startWorld()
    const [port, there] = [await findFreePort(), await findFreePort()]
    const id = await world.open(local(port, { host: '127.0.0.1', port: there }))
    await closed(connect({ port, host: '127.0.0.1' }))
    expect(world.shown(id).state).toEqual({ kind: 'open', refusal: 'nothing-listens' })
    await serve(echo, there)
    expect((await exchange(port, Buffer.from('hello'))).toString()).toBe('hello')
    expect(world.shown(id).state).toEqual({ kind: 'open', refusal: null })
  })

  test('comes back by itself on the same port after the connection was cut', async () => {
    const world = await startWorld()
    const port = await findFreePort()
    const id = await world.open(local(port, await serve(echo)))
    const standing = connect({ port, host: '127.0.0.1' })
    await once(standing, 'connect')
    standing.write('hello')
    await once(standing, 'data')
    const broken = once(
      standing.on('error', () => undefined),
      'close',
    )
    world.proxy.cut()
    await world.until(id, 'reconnecting')
    // A page isn't opened whenever the link comes back.
    expect(await world.forwards.openInBrowser(id, 'http')).toBe('reconnecting')
    await broken
    await world.until(id, 'open')
    expect((await exchange(port, Buffer.from('again'))).toString()).toBe('again')
  })

  test('lets go of its port, its connections and the machine when it is stopped', async () => {
    const world = await startWorld()
    const port = await findFreePort()
    const id = await world.open(local(port, await serve(echo)))
    const standing = connect({ port, host: '127.0.0.1' })
    await once(standing, 'connect')
    standing.write('hello')
    await once(standing, 'data')
    const broken = closed(standing)
    await world.forwards.stop(id)
    await broken
    await waitFor(() => expect(world.proxy.open()).toBe(0))
    await expect(once(connect({ port, host: '127.0.0.1' }), 'connect')).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    })
    expect(world.shown(id).state).toEqual({ kind: 'stopped' })
    await world.forwards.start(id)
    await world.until(id, 'open')
    expect((await exchange(port, Buffer.from('again'))).toString()).toBe('again')
  })

  test('offers the next free port where its own is in use, and takes it on request', async () => {
    const world = await startWorld()
    // Not one of the ports that the system gives away: nor is then what is offered in its place.
    const busy = await serve(() => undefined, await findFreePort())
    const there = await serve(echo)
    const plan = local(busy.port, there)
    const { id } = await world.forwards.add({ instanceId: 1, plan, takeFree: false })
    const { problem } = await world.until(id, 'failed')
    expect(problem).toMatchObject({ kind: 'port-in-use', port: busy.port })
    const free = problem.kind === 'port-in-use' ? problem.free : null
    if (free === null) throw new Error('none was offered')
    await world.forwards.start(id, free)
    await world.trust(id)
    expect((await exchange(free, Buffer.from('hello'))).toString()).toBe('hello')

    const { id: second } = await world.forwards.add({ instanceId: 1, plan, takeFree: true })
    await world.until(second, 'open')
    const { port } = world.shown(second).plan.entrance
    expect(port).toBeGreaterThan(free)
    await world.forwards.openInBrowser(second, 'http')
    // The name without a port in it is the first one's.
    expect(world.opened).toEqual([`http://port-${there.port}-${port}-1.localhost:${port}/`])
  })

  test('opens a notebook with its token, which is in no argument of a program and no log', async () => {
    const world = await startWorld()
    const folder = join(world.sshd.machine.home, '.local', 'share', 'jupyter', 'runtime')
    await mkdir(folder, { recursive: true })
    const hosts: (string | undefined)[] = []
    const server = createServer((request, response) => {
      hosts.push(request.headers.host, request.headers.referer)
      response.end(`a notebook ${request.url}`)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const notebook = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
    const told = { port: notebook.port, base_url: '/lab/', secure: false, token: 'canary42' }
    await writeFile(join(folder, 'jpserver-7.json'), JSON.stringify(told, null, 2))
    const port = await findFreePort()
    const id = await world.open(local(port, notebook))
    for (const turn of [0, 1]) {
      expect(await world.forwards.openInBrowser(id, 'http')).toBe('opened')
      const address = world.opened[turn] ?? ''
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/forward-\d+$/)
      // Who guesses gets nothing, and uses nothing up.
      expect((await fetch(`${address}0`, { redirect: 'manual' })).status).toBe(404)
      expect((await fetch(address, { method: 'HEAD', redirect: 'manual' })).status).toBe(404)
      const reply = await fetch(address, { redirect: 'manual' })
      expect([reply.status, reply.headers.get('location')]).toEqual([
        302,
        `http://127.16.0.1:${port}/lab/?token=canary42`,
      ])
      expect(reply.headers.get('cache-control')).toBe('no-store')
      expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
      // Once.
      await expect(fetch(address)).rejects.toThrow()
      const page = await fetch(reply.headers.get('location') ?? '')
      expect(await page.text()).toBe('a notebook /lab/?token=canary42')
    }
    // As Jupyter wants it: it refuses hosts that are neither a loopback address (127.0.0.0/8) nor "localhost".
    expect(new Set(hosts)).toEqual(new Set([`127.16.0.1:${port}`, undefined]))

    await world.forwards.openInBrowser(id, 'http')
    world.forwards.dispose()
    await expect(fetch(world.opened[2] ?? '')).rejects.toThrow()
    expect([...world.log.lines, ...world.opened].join('\n')).not.toContain('canary42')
  })

  test('has a name of its own for browsers, whose cookies no other page gets', async () => {
    const world = await startWorld()
    const heard: string[] = []
    const page = async (name: string): Promise<{ host: string; port: number }> => {
      const server = createServer((request, response) => {
        if (request.url === '/') heard.push(`${name} ${request.headers.cookie ?? 'no cookie'}`)
        response.setHeader('set-cookie', `login=${name}`)
        response.end(`the page of ${name}`)
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      onTestFinished(() => void server.close())
      return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
    }
    const first = await world.open(local(await findFreePort(), await page('first')))
    const plan = local(await findFreePort(), await page('second'))
    const { id: second } = await world.forwards.add({ instanceId: 2, plan, takeFree: false })
    for (const id of [first, second, first]) await world.forwards.openInBrowser(id, 'http')

    const browser = await launchChromium()
    onTestFinished(() => browser.close())
    const tab = await browser.newPage()
    for (const address of world.opened) await tab.goto(address)
    expect(heard).toEqual(['first no cookie', 'second no cookie', 'first login=first'])

    // Other programs go on coming to 127.0.0.1.
    const { port } = world.shown(first).plan.entrance
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('the page of first')
    await world.forwards.stop(first)
    await waitFor(() => expect(fetch(world.opened[0] ?? '')).rejects.toThrow())
  })

  test('is open to browsers at the instance’s address when the whole network may come, too', async () => {
    const world = await startWorld()
    const there = await serve(echo)
    const plan = local(await findFreePort(), there)
    const id = await world.open({ ...plan, entrance: { ...plan.entrance, reach: 'network' } })
    await world.forwards.openInBrowser(id, 'http')
    const { port } = plan.entrance
    expect(world.opened).toEqual([`http://port-${there.port}-1.localhost:${port}/`])
    const socket = connect({ port, host: '127.16.0.1' })
    socket.write('hello')
    expect(String((await once(socket, 'data'))[0])).toBe('hello')
    socket.destroy()
  })

  test('brings browsers to 127.0.0.1 where neither a name nor the instance’s address can be had', async () => {
    const world = await startWorld({ platform: 'darwin' })
    const port = await findFreePort()
    const busy = createServer().listen(port, '127.16.0.1')
    await once(busy, 'listening')
    onTestFinished(() => void busy.close())
    const id = await world.open(local(port, await serve(echo)))
    await world.forwards.openInBrowser(id, 'http')
    expect(world.opened).toEqual([`http://127.0.0.1:${port}/`])
  })

  test('says that it may not when the server forbids it', async () => {
    const world = await startWorld({ sshdConfig: ['AllowTcpForwarding no'] })
    const port = await findFreePort()
    const id = await world.open(local(port, await serve(echo)))
    await closed(connect({ port, host: '127.0.0.1' }))
    expect(world.shown(id).state).toEqual({ kind: 'open', refusal: 'forbidden' })
  })
})
