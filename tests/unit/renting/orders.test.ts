import { expect, test } from 'vitest'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { Orders, type OrderEntry } from '#services/renting/orders.ts'
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
  const orders = new Orders({ journal, seal, now: () => ++now, log })
  await orders.open()
  return { orders, journal, log }
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
