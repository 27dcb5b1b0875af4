import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { GuardsSnapshot } from '#domain/guards/guard.ts'
import type { WatcherView } from '#domain/guards/watcher.ts'
import { waitFor } from '../../support/wait-for.ts'
import { firstOf } from '../accounts/program.ts'
import { guardedInstance, guardsWhen, statusOf, trustHost } from './guarded-instance.ts'

const isAboutToAct = ({ watched }: WatcherView): boolean => watched.some(({ phase }) => phase !== 'waiting')
const seconds = (count: number) => ({ kind: 'after', hours: count / 3600 }) as const

test('an instance stops itself by its own key, and Slipway knows it', async () => {
  const { service, client, instanceId } = await guardedInstance()
  const order = { instanceId, action: 'stop', place: 'instance' } as const
  await client.guards.set({ ...order, condition: seconds(6) })
  await trustHost(client, instanceId)
  const { onInstances } = await guardsWhen(client, (all) =>
    all.onInstances.some((one) => one.heardAt !== null),
  )
  expect(onInstances).toMatchObject([{ instanceId, problem: null, foreign: 0, watched: [{ busy: null }] }])
  await waitFor(async () => {
    await client.guards.lookAtInstance({ instanceId })
    const { onInstances: latest } = await firstOf(client.guards.watch)
    expect(latest.some(isAboutToAct), 'it has warned').toBe(true)
  })
  await waitFor(async () => expect(await statusOf(client, instanceId)).toBe('stopped'))
  const { fired, guards } = await guardsWhen(client, (all) => all.fired.length > 0)
  expect(fired).toMatchObject([{ instanceId, action: 'stop', place: 'instance', outcome: 'done' }])
  expect(guards).toEqual([])
  const sent = service.journal().filter(({ path }) => path === `/api/v0/instances/${instanceId}/`)
  expect(sent.filter(({ method }) => method === 'PUT')).toMatchObject([{ key: 'instance', status: 200 }])
})

test('what an instance did while Slipway was closed is told with its time, and not done again', async () => {
  const { service, main, client, instanceId, start } = await guardedInstance()
  const order = { instanceId, action: 'stop', place: 'instance' } as const
  await client.guards.set({ ...order, condition: seconds(6) })
  await trustHost(client, instanceId)
  await guardsWhen(client, (all) => all.onInstances.some(({ watched }) => watched[0]?.isHeard))
  await main.app.dispose()
  const stops = () =>
    service
      .journal()
      .filter(({ method, path }) => method === 'PUT' && path.endsWith(`/instances/${instanceId}/`))
  await waitFor(() => expect(stops()).toHaveLength(1))
  await service.instances.setFate(instanceId, 'running')
  // A container that starts again has another first process. Here all have this computer's.
  await rm(join(String(service.instances.homeOf(instanceId)), '.slipway', 'run'))

  const { client: later } = (await start()).window()
  const { fired, guards } = await guardsWhen(later, (all) => all.fired.length > 0)
  expect(fired).toMatchObject([{ outcome: 'done', ranAt: expect.any(Number), place: 'instance' }])
  expect(guards).toEqual([])
  expect(stops(), 'by its own key, and once').toMatchObject([{ key: 'instance', status: 200 }])
})

test('an instance keeps its former rule when a change is refused', async () => {
  const { service, client, instanceId } = await guardedInstance()
  const order = { instanceId, action: 'destroy', place: 'instance' } as const
  await client.guards.set({ ...order, condition: { kind: 'after', hours: 2 } })
  await trustHost(client, instanceId)
  const { guards } = await guardsWhen(client, (all) =>
    all.onInstances.some(({ watched }) => watched[0]?.isHeard),
  )
  const id = String(guards[0]?.id)
  const toInstance = { method: 'GET', path: `/api/v0/instances/${instanceId}/` } as const
  service.faults.add({ ...toInstance, kind: 'reset-before', times: 1_000 })
  await client.guards.postpone({ id })
  const { onInstances } = await guardsWhen(client, (all) =>
    all.onInstances.some(({ problem }) => problem !== null),
  )
  expect(onInstances).toMatchObject([
    { problem: { kind: 'refused', why: 'no-service' }, watched: [{ id, notBefore: null, isHeard: true }] },
  ])
  service.faults.clear()
  await client.guards.lookAtInstance({ instanceId })
  const changed = await guardsWhen(client, (all) => all.onInstances.some(({ problem }) => problem === null))
  expect(changed.onInstances).toMatchObject([{ watched: [{ id, notBefore: changed.guards[0]?.notBefore }] }])

  await client.guards.remove({ id })
  await guardsWhen(client, (all) => all.onInstances.length === 0)
})

test('a rule is given anew to an instance that has started again, and taken from it when it is removed', async () => {
  const { service, client, instanceId } = await guardedInstance()
  const order = { instanceId, action: 'stop', place: 'instance' } as const
  await client.guards.set({ ...order, condition: { kind: 'idle', minutes: 30 } })
  await trustHost(client, instanceId)
  const isActive = (all: GuardsSnapshot) => all.onInstances.some((one) => one.watched.length === 1)
  const { guards } = await guardsWhen(client, isActive)
  const folder = join(String(service.instances.homeOf(instanceId)), '.slipway')

  // As after a restart of the instance: the process has gone, its files are there.
  await rm(join(folder, 'lock'), { recursive: true })
  await client.guards.lookAtInstance({ instanceId })
  await expect(readFile(join(folder, 'lock', 'pid'), 'utf8')).resolves.toMatch(/^\d+ \d+\n$/)

  const orders = join(folder, 'orders')
  const [own = ''] = await readdir(orders)
  await copyFile(join(orders, own), join(orders, 'another-computer'))
  await client.guards.remove({ id: String(guards[0]?.id) })
  await waitFor(async () => expect(await readdir(orders)).toEqual(['another-computer']))
  await guardsWhen(client, (all) => all.onInstances.length === 0)
})

test('two computers give one instance rules, and each keeps to its own', async () => {
  const { service, client: laptop, instanceId, startElsewhere } = await guardedInstance()
  const { client: desktop } = (await startElsewhere()).window()
  const stop = { instanceId, action: 'stop', place: 'instance' } as const
  const isHeard = (all: GuardsSnapshot) => all.onInstances.some(({ watched }) => watched[0]?.isHeard)
  await laptop.guards.set({ ...stop, condition: seconds(7200) })
  await trustHost(laptop, instanceId)
  await guardsWhen(laptop, isHeard)
  await desktop.guards.set({ ...stop, condition: { kind: 'idle', minutes: 30 } })
  await trustHost(desktop, instanceId)
  await guardsWhen(desktop, isHeard)
  const seen = async (client: typeof laptop) => {
    await client.guards.lookAtInstance({ instanceId })
    const { onInstances } = await firstOf(client.guards.watch)
    return onInstances.map(({ watched, foreign, problem }) => ({
      ...{ foreign, problem, rules: watched.map(({ condition }) => condition) },
    }))
  }
  const alone = { problem: null, foreign: 1 }
  expect(await seen(laptop)).toEqual([{ ...alone, rules: ['after'] }])
  expect(await seen(desktop)).toEqual([{ ...alone, rules: ['idle'] }])

  await desktop.guards.set({ ...stop, condition: seconds(6) })
  await waitFor(async () => expect(await statusOf(laptop, instanceId)).toBe('stopped'))
  expect(await statusOf(desktop, instanceId)).toBe('stopped')
  const { fired } = await guardsWhen(desktop, (all) => all.fired.length > 0)
  expect(fired).toMatchObject([{ condition: seconds(6), place: 'instance' }])
  const of = await firstOf(laptop.guards.watch)
  expect(of, 'it was no rule of the laptop’s').toMatchObject({
    fired: [],
    guards: [{ state: { kind: 'armed' } }],
  })
  const sent = service
    .journal()
    .filter(({ path, method }) => method === 'PUT' && path.includes(`/${instanceId}/`))
  expect(sent).toMatchObject([{ key: 'instance', status: 200 }])
})

test('a script that somebody has edited on the instance is replaced at the next look, and its rule stays', async () => {
  const { service, client, instanceId } = await guardedInstance()
  await client.guards.set({ instanceId, action: 'stop', place: 'instance', condition: seconds(7200) })
  await trustHost(client, instanceId)
  await guardsWhen(client, (all) => all.onInstances.some(({ watched }) => watched[0]?.isHeard))
  const script = join(String(service.instances.homeOf(instanceId)), '.slipway/guard.sh')
  const before = await readFile(script, 'utf8')
  await writeFile(script, '#!/bin/sh\necho mine now\n')
  await client.guards.lookAtInstance({ instanceId })
  const { onInstances, guards } = await firstOf(client.guards.watch)
  expect(onInstances).toMatchObject([{ problem: null, watched: [{ id: guards[0]?.id, isHeard: true }] }])
  expect(await readFile(script, 'utf8')).toBe(before)
})

test('an instance takes the key of its first process where Slipway has none, and says that the service did not confirm it', async () => {
  const { service, client, instanceId } = await guardedInstance()
  const home = String(service.instances.homeOf(instanceId))
  const environment = await readFile(join(home, '../root/proc/1/environ'), 'utf8')
  const [, key = ''] = /CONTAINER_API_KEY=([^\0]+)/.exec(environment) ?? []
  await client.guards.set({ instanceId, action: 'stop', place: 'instance', condition: seconds(600) })
  await trustHost(client, instanceId)
  const isActive = (all: GuardsSnapshot) => all.onInstances.some((one) => one.watched.length === 1)
  const { guards } = await guardsWhen(client, isActive)
  const kept = join(home, '.slipway/key')
  expect(await readFile(kept, 'utf8')).toBe(`header = Authorization: Bearer ${key}\n# true\n`)

  service.keys.revoke(key)
  await client.guards.remove({ id: String(guards[0]?.id) })
  await guardsWhen(client, (all) => all.onInstances.length === 0)
  await client.guards.set({ instanceId, action: 'stop', place: 'instance', condition: seconds(600) })
  await guardsWhen(client, isActive)
  expect(await readFile(kept, 'utf8')).toBe(`header = Authorization: Bearer ${key}\n# false\n`)
})

test('a new instance gets the rule that the settings say', async () => {
  const { client, instanceId } = await guardedInstance({ stopsNewWhenIdle: true, newIdleMinutes: 30 })
  await trustHost(client, instanceId)
  const isActive = (all: GuardsSnapshot) => all.onInstances.some((one) => one.watched.length === 1)
  const { guards, onInstances } = await guardsWhen(client, isActive)
  expect(guards).toMatchObject([
    { instanceId, action: 'stop', place: 'instance', condition: { kind: 'idle', minutes: 30 } },
  ])
  expect(onInstances).toMatchObject([{ watched: [{ seconds: 1800 }] }])
})
