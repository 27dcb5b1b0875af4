import { expect, test } from 'vitest'
import { unknownIdentity, type InstanceIdentity } from '#domain/instances/instance-identity.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { newerOf, orderEntry, Orders, type Order, type OrderEntry } from '#services/renting/orders.ts'
import { memoryJournal } from '../../support/memory-journal.ts'
import { memoryLog } from '../../support/memory-log.ts'

const secret = 'canary-3b1c90'
const body = { image: 'ubuntu', env: { TOKEN: secret } }
const next = { query: defaultOfferQuery, capPerHourUsd: 0.5 }

async function open(
  journal = memoryJournal<OrderEntry>(),
  seal = async (text: string) => `sealed ${text.length}`,
) {
  const log = memoryLog()
  let now = 0
  const listed = new Map<number, InstanceIdentity>()
  const identityOf = (id: number) => listed.get(id) ?? unknownIdentity
  const orders = new Orders({ journal, seal, identityOf, now: () => ++now, log })
  await orders.open()
  return { orders, journal, log, listed }
}

test('the request of an instance is there after a restart, sealed; the newest, when its id was given twice', async () => {
  const { orders, journal } = await open()
  await orders.keep(7, body, next)
  await orders.keep(7, body, { ...next, capPerHourUsd: 0.7 })
  const again = await open(journal)
  expect(again.orders.of(7)).toMatchObject({ query: defaultOfferQuery, capPerHourUsd: 0.7 })
  expect(again.orders.of(8)).toBeNull()
  expect(JSON.stringify(await journal.readAll())).not.toContain(secret)
})

test('a keychain that is locked costs the request its place, and the rental nothing', async () => {
  const { orders, log } = await open(memoryJournal(), () => Promise.reject(new Error('locked')))
  await orders.keep(7, body, next)
  expect(orders.of(7)).toBeNull()
  expect(JSON.stringify(log)).not.toContain(secret)
})

test('the oldest of very many are dropped at the next start', async () => {
  const { orders, journal } = await open()
  for (let id = 1; id <= 501; id += 1) await orders.keep(id, body, next)
  const again = await open(journal)
  expect(again.orders.of(1)).toBeNull()
  expect(again.orders.of(501)).not.toBeNull()
  expect(await journal.readAll()).toHaveLength(500)
})

test('another instance under the same id was not rented with it; one whose identity was not known then may be', async () => {
  const { orders, listed } = await open()
  listed.set(7, { machineId: 10, startedAt: 1_000_000 })
  await orders.keep(7, body, next)
  expect(orders.of(7)).not.toBeNull()
  listed.set(7, { machineId: 20, startedAt: 1_000_000 })
  expect(orders.of(7)).toBeNull()
  listed.set(7, { machineId: 10, startedAt: 9_000_000 })
  expect(orders.of(7)).toBeNull()
  await orders.keep(8, body, next)
  listed.set(8, { machineId: 10, startedAt: 1_000_000 })
  expect(orders.of(8)).not.toBeNull()
})

test('an order of an earlier file names no identity', () => {
  const entry = { instanceId: 7, at: 1, ...next, sealedBody: 'sealed' }
  expect(orderEntry.parse(entry)).toMatchObject({ identity: unknownIdentity })
})

test('of an auto-retry’s order and a plain one, the newer counts, whichever it is', () => {
  const order = (at: number): Order => ({ ...next, at, sealedBody: '' })
  expect(newerOf(order(1), order(2))?.at).toBe(2)
  expect(newerOf(order(2), order(1))?.at).toBe(2)
  expect(newerOf(null, order(1))?.at).toBe(1)
  expect(newerOf(order(1), null)?.at).toBe(1)
  expect(newerOf(null, null)).toBeNull()
})
