import { expect, test } from 'vitest'
import { waitFor } from '../../support/wait-for.ts'
import { guardedInstance, guardsWhen, statusOf, trustHost } from './guarded-instance.ts'

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
  await waitFor(async () => expect(await statusOf(client, instanceId)).toBe('stopped'))
  const { fired, guards } = await guardsWhen(client, (all) => all.fired.length > 0)
  expect(fired).toMatchObject([{ instanceId, action: 'stop', place: 'instance', outcome: 'done' }])
  expect(guards).toEqual([])
  const sent = service.journal().filter(({ path }) => path === `/api/v0/instances/${instanceId}/`)
  expect(sent.filter(({ method }) => method === 'PUT')).toMatchObject([{ key: 'instance', status: 200 }])
})
