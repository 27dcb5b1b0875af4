import { expect, onTestFinished, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import { parseJumpHosts } from '#domain/ssh/jump-host.ts'
import type { SshAddresses } from '#domain/ssh/ssh-address.ts'
import { noSshChoice, type InstanceRoute } from '#domain/ssh/ssh-choice.ts'
import { preferences } from '#domain/settings/settings.ts'
import { noHostConfig } from '#services/ssh/config/host-config.ts'
import { InstanceRoutes } from '#services/ssh/connection/instance-routes.ts'
import { FakeClock, settle } from '../../../support/fake-clock.ts'

test('the route of each address is told as soon as the list names it, also where ~/.ssh/config gives one of them a jump host and the other none', async () => {
  const direct = { host: '203.0.113.5', port: 40_022 }
  const proxy = { host: 'ssh4.example.com', port: 31_022 }
  const listed = new Latest<SshAddresses>({ direct: null, proxy: null, preferred: null })
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
    addressesOf: () => listed.value,
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
  listed.set({ direct, proxy, preferred: direct })
  await settle()
  expect(told.at(-1)).toMatchObject({
    addresses: ['proxy', 'direct'],
    routes: {
      direct: { jumpHosts: 'me@jump.example', from: 'ssh-config' },
      proxy: { jumpHosts: null, from: null },
    },
  })
})
