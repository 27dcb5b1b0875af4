import { PassThrough } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import { parseJumpHosts } from '#domain/ssh/jump-host.ts'
import { sshAddressesOf, type AddressHintsById } from '#domain/ssh/ssh-address.ts'
import { noSshChoice, type InstanceRoute, type SshChoice } from '#domain/ssh/ssh-choice.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { preferences } from '#domain/settings/settings.ts'
import { noHostConfig } from '#services/ssh/config/host-config.ts'
import { SshFailure } from '#services/ssh/failure.ts'
import { AddressProbes } from '#services/ssh/connection/address-probes.ts'
import { InstanceRoutes, type InstanceRoutesOptions } from '#services/ssh/connection/instance-routes.ts'
import { FakeClock, settle } from '../../../support/fake-clock.ts'
import { waitFor } from '../../../support/wait-for.ts'

type Listed = InstanceRoutesOptions['listed']['value']

function recordOf(direct: SshAddress, proxy: SshAddress) {
  return {
    public_ipaddr: direct.host,
    ports: { '22/tcp': [{ HostPort: String(direct.port) }] },
    ssh_host: proxy.host,
    ssh_port: proxy.port,
  }
}

test('the route of each address is told as soon as the list names it, also where ~/.ssh/config gives one of them a jump host and the other none', async () => {
  const direct = { host: '203.0.113.5', port: 40_022 }
  const proxy = { host: 'ssh4.example.com', port: 31_022 }
  const listed = new Latest<Listed>({ instances: [{ id: 7, record: {} }] })
  const hosts = parseJumpHosts('me@jump.example') ?? []
  const routes = new InstanceRoutes({
    choices: { of: () => noSshChoice, latest: new Latest(new Map()), write: () => Promise.resolve() },
    preferences: new Latest(preferences.parse({})),
    hostConfig: {
      ofInstance: (_, { port }) =>
        Promise.resolve(
          port === direct.port ? { ...noHostConfig, via: { kind: 'jump', hosts } } : noHostConfig,
        ),
      ofJumpHost: () => Promise.resolve({ ...noHostConfig, hostName: null, port: null }),
      localUser: 'kim',
    },
    agentSocket: null,
    listed,
    reached: { addressesOf: () => [proxy], latest: new Latest({}) },
    probes: new AddressProbes({ clock: new FakeClock(), open: () => expect.fail('nothing to find out') }),
    clock: new FakeClock(),
  })
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const told: InstanceRoute[] = []
  const telling = (async () => {
    for await (const route of routes.watch(7, end.signal)) told.push(route)
  })()
  telling.catch(() => undefined) // the test is over
  await settle()
  expect(told.at(-1)).toMatchObject({ addresses: [] })
  // It starts, and the service names its addresses.
  listed.set({ instances: [{ id: 7, record: recordOf(direct, proxy) }] })
  await settle()
  expect(told.at(-1)).toMatchObject({
    addresses: ['proxy', 'direct'],
    routes: {
      direct: { jumpHosts: 'me@jump.example', from: 'ssh-config' },
      proxy: { jumpHosts: null, from: null },
    },
  })
})

test('what decides between addresses is told of listed instances only, and again only when it changes', async () => {
  const proxy = { host: 'ssh4.example.com', port: 31_022 }
  const listed = new Latest<Listed>({ instances: null })
  const choices = new Latest<ReadonlyMap<number, SshChoice>>(new Map())
  const places = new Map([[8, [proxy]]])
  const reached = new Latest({})
  const routes = new InstanceRoutes({
    choices: {
      of: (id) => choices.value.get(id) ?? noSshChoice,
      latest: choices,
      write: () => Promise.resolve(),
    },
    preferences: new Latest(preferences.parse({})),
    hostConfig: {
      ofInstance: () => Promise.resolve(noHostConfig),
      ofJumpHost: () => Promise.resolve({ ...noHostConfig, hostName: null, port: null }),
      localUser: 'kim',
    },
    agentSocket: null,
    listed,
    reached: { addressesOf: (id) => places.get(id) ?? [], latest: reached },
    probes: new AddressProbes({ clock: new FakeClock(), open: () => expect.fail('nothing to find out') }),
    clock: new FakeClock(),
  })
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const told: AddressHintsById[] = []
  const telling = (async () => {
    for await (const hints of routes.watchHints(end.signal)) told.push(hints)
  })()
  telling.catch(() => undefined) // the test is over
  await settle()
  listed.set({ instances: [{ id: 7, record: {} }] })
  await settle()
  // The next poll.
  listed.set({ instances: [{ id: 7, record: {} }] })
  await settle()
  choices.set(new Map([[7, { ...noSshChoice, address: 'proxy' }]]))
  await settle()
  places.set(7, [proxy])
  reached.set({})
  await settle()
  expect(told).toEqual([
    {},
    { 7: { choice: 'proxy', reached: [] } },
    { 7: { choice: 'proxy', reached: [proxy] } },
  ])
})

describe('an instance that was never reached', () => {
  const direct = { host: '203.0.113.5', port: 40_022 }
  const proxy = { host: 'ssh4.example.com', port: 31_022 }
  const record = { ...recordOf(direct, proxy), actual_status: 'running' }
  const addresses = sshAddressesOf(record)

  /** @param answers whether its proxy greets; the direct one never does */
  function world({ answers = (): boolean => true, choice = noSshChoice, jumpHosts = '' } = {}) {
    const clock = new FakeClock()
    const asked: SshAddress[] = []
    const open = async (address: SshAddress) => {
      asked.push(address)
      if (address.port === direct.port || !answers()) throw new SshFailure({ kind: 'refused' })
      const stream = new PassThrough()
      stream.write('SSH-2.0-OpenSSH_9.2\r\n')
      return { stream, bytesRead: () => 0 }
    }
    const routes = new InstanceRoutes({
      choices: { of: () => choice, latest: new Latest(new Map()), write: () => Promise.resolve() },
      preferences: new Latest(preferences.parse({ jumpHosts })),
      hostConfig: {
        ofInstance: () => Promise.resolve(noHostConfig),
        ofJumpHost: () => Promise.resolve({ ...noHostConfig, hostName: null, port: null }),
        localUser: 'kim',
      },
      agentSocket: null,
      listed: new Latest<Listed>({ instances: [{ id: 7, record }] }),
      reached: { addressesOf: () => [], latest: new Latest({}) },
      probes: new AddressProbes({ clock, open }),
      clock,
    })
    return { routes, clock, asked }
  }

  test('is asked at both addresses, and other programs get the one that answers', async () => {
    const { routes } = world()
    expect(routes.programAddress(7, addresses)).toEqual(direct)
    expect(routes.isToBeProbed(7, record)).toBe(true)
    expect(await routes.probe(7, addresses)).toEqual({ isUnanswered: false })
    expect(routes.programAddress(7, addresses)).toEqual(proxy)
    expect(routes.isToBeProbed(7, record)).toBe(false)
  })

  test('is asked again where neither answered: after a minute, or at once for who waits for it', async () => {
    let answers = false
    const { routes, clock } = world({ answers: () => answers })
    expect(await routes.probe(7, addresses)).toEqual({ isUnanswered: true })
    expect(routes.programAddress(7, addresses)).toEqual(direct)
    expect(routes.isToBeProbed(7, record)).toBe(false)
    await clock.advance(60_000)
    expect(routes.isToBeProbed(7, record)).toBe(true)
    answers = true
    expect(await routes.probe(7, addresses)).toEqual({ isUnanswered: false })
    expect(routes.programAddress(7, addresses)).toEqual(proxy)
  })

  test('is not asked behind a jump host, with a choice, or without being asked for while it doesn’t run', async () => {
    const behind = world({ jumpHosts: 'me@jump.example' })
    expect(await behind.routes.probe(7, addresses)).toEqual({ isUnanswered: false })
    expect(behind.routes.isToBeProbed(7, record)).toBe(false)
    const chosen = world({ choice: { ...noSshChoice, address: 'direct' } })
    expect(chosen.routes.isToBeProbed(7, record)).toBe(false)
    expect(await chosen.routes.probe(7, addresses)).toEqual({ isUnanswered: false })
    expect([...behind.asked, ...chosen.asked]).toEqual([])
    expect(world().routes.isToBeProbed(7, { ...record, actual_status: 'loading' })).toBe(false)
  })

  test('is asked when its route is looked at, which says that neither answered', async () => {
    const { routes } = world({ answers: () => false })
    const end = new AbortController()
    onTestFinished(() => end.abort())
    const told: InstanceRoute[] = []
    const telling = (async () => {
      for await (const route of routes.watch(7, end.signal)) told.push(route)
    })()
    telling.catch(() => undefined) // the test is over
    await waitFor(() => expect(told.at(-1)?.isUnanswered).toBe(true))
    expect(told[0]).toMatchObject({ addresses: ['direct', 'proxy'], isUnanswered: false })
  })
})
