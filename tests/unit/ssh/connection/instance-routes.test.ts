import { expect, onTestFinished, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import { parseJumpHosts } from '#domain/ssh/jump-host.ts'
import type { AddressHintsById } from '#domain/ssh/ssh-address.ts'
import { noSshChoice, type InstanceRoute, type SshChoice } from '#domain/ssh/ssh-choice.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { preferences } from '#domain/settings/settings.ts'
import { noHostConfig } from '#services/ssh/config/host-config.ts'
import { InstanceRoutes, type InstanceRoutesOptions } from '#services/ssh/connection/instance-routes.ts'
import { FakeClock, settle } from '../../../support/fake-clock.ts'

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
