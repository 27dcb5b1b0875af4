import { expect, test } from 'vitest'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import type { NextOffers } from '#domain/renting/rent-request.ts'
import { ProblemError } from '#domain/base/problem.ts'
import { createRentalRequests, type RentalRequestsOptions } from '#services/renting/rental-requests.ts'
import { memoryLog } from '../../support/memory-log.ts'

const canary = 'canary-7e2f91ab'
const options = {
  image: 'ubuntu',
  templateHashId: null,
  diskGb: 8,
  env: {},
  onstart: null,
  volume: null,
  extraFilters: {},
  addSshKey: false,
}

function requests(change: Partial<RentalRequestsOptions> = {}) {
  const kept: (readonly [number, string])[] = []
  const orders: unknown[] = []
  const log = memoryLog()
  const { preview, rent } = createRentalRequests({
    renting: { rent: async () => ({ kind: 'rented', instanceId: 7, instanceKey: canary }) },
    orders: {
      keep: async (...order) => {
        orders.push(order)
      },
    },
    publicKey: () => null,
    compress: (text) => text,
    keepKey: async (id, key) => {
      kept.push([id, key])
      return { keptIn: 'keychain' }
    },
    log,
    latestHash: (hash) => (hash === 'of-before' ? 'of-now' : hash),
    ...change,
  })
  return {
    kept,
    orders,
    log,
    preview,
    rent: (keepInstanceKey: boolean, next?: NextOffers) =>
      rent({ offerId: 1, options, keepInstanceKey, ...(next && { next }) }),
  }
}

test('the instance’s key is kept, and handed over once, when it is wanted', async () => {
  const { rent, kept } = requests()
  expect(await rent(true)).toEqual({
    kind: 'rented',
    instanceId: 7,
    instanceKey: { value: canary, kept: { kind: 'keychain' } },
  })
  expect(kept).toEqual([[7, canary]])
})

test('a key that nobody wants goes nowhere', async () => {
  const { rent, kept } = requests()
  expect(await rent(false)).toEqual({ kind: 'rented', instanceId: 7, instanceKey: null })
  expect(kept).toEqual([])
})

test('a keychain that is locked costs the key its place, not the rental', async () => {
  const locked = { kind: 'keychain-locked', detail: '' } as const
  const { rent, log } = requests({ keepKey: () => Promise.reject(new ProblemError(locked)) })
  expect(await rent(true)).toMatchObject({
    instanceId: 7,
    instanceKey: { value: canary, kept: { kind: 'nowhere', problem: locked } },
  })
  expect(JSON.stringify(log)).not.toContain(canary)
})

test('a service that sends no key is no failure', async () => {
  const { rent } = requests({
    renting: { rent: async () => ({ kind: 'rented', instanceId: 7, instanceKey: null }) },
  })
  expect(await rent(true)).toEqual({ kind: 'rented', instanceId: 7, instanceKey: null })
})

test('what it was rented with is kept, with where to look next; not of a rental without a reply', async () => {
  const next = { query: defaultOfferQuery, capPerHourUsd: 1 }
  const { rent, orders } = requests()
  await rent(false, next)
  expect(orders).toEqual([[7, { image: 'ubuntu', disk: 8 }, next]])
  const notice = { id: 'n', offerId: 1, sentAt: 0, outcome: { kind: 'checking' as const } }
  const lost = requests({ renting: { rent: async () => ({ kind: 'reply-lost', notice }) } })
  await lost.rent(false, next)
  expect(lost.orders).toEqual([])
})

test('the preview names the hash that an edited template has now, as sending it will', () => {
  const { preview } = requests()
  expect(preview({ ...options, templateHashId: 'of-before' }).body.template_hash_id).toBe('of-now')
})
