import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AccountState } from '#domain/accounts/account.ts'
import { Latest } from '#domain/base/latest.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { openOfferLists } from '#services/offers/offer-lists.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'

const connected = (accountId: string, userId: number): AccountState => ({
  kind: 'connected',
  accountId,
  serviceAddress: 'https://example.com',
  userId,
  keyMask: '••••',
  keyKeptIn: 'keychain',
  user: null,
  checkedAt: null,
  problem: null,
})
const machine = { kind: 'machine', id: 7, title: 'RTX 4090' } as const

async function open(path: string, account = new Latest(connected('first', 1))) {
  let made = 0
  const lists = await openOfferLists({
    path,
    account,
    clock: new FakeClock(),
    randomId: () => `id-${++made}`,
    onNotice: () => undefined,
  })
  return { lists, account }
}

test('marks and searches are there at the next start', async () => {
  const path = join(await temporaryFolder(), 'offer-lists.json')
  const { lists } = await open(path)
  await Promise.all([
    lists.mark('blocked', machine),
    lists.mark('favourites', { kind: 'host', id: 3, title: 'a host' }),
    lists.saveSearch({ id: null, name: 'cheap', query: defaultOfferQuery }),
  ])
  const { lists: again } = await open(path)
  expect(again.latest.value).toEqual(lists.latest.value)
  expect(again.latest.value).toMatchObject({
    favourites: [{ kind: 'host', id: 3 }],
    blocked: [{ kind: 'machine', id: 7, title: 'RTX 4090', at: Date.UTC(2026, 0, 1) }],
    searches: [{ id: 'id-1', name: 'cheap', query: defaultOfferQuery }],
  })
  await again.unmark('blocked', machine)
  await again.removeSearch('id-1')
  expect(again.latest.value).toMatchObject({ blocked: [], searches: [] })
})

test('belong to the account, whichever key it is used with, and to no other', async () => {
  const path = join(await temporaryFolder(), 'offer-lists.json')
  const { lists, account } = await open(path)
  const end = new AbortController()
  const following = lists.follow(end.signal)
  await lists.mark('blocked', machine)
  account.set(connected('another', 2))
  await expect.poll(() => lists.latest.value.blocked).toEqual([])
  await lists.mark('favourites', machine)
  account.set(connected('first, with a new key', 1))
  await expect.poll(() => lists.latest.value.blocked).toHaveLength(1)
  expect(lists.latest.value.favourites).toEqual([])
  account.set({ kind: 'none' })
  await expect.poll(() => lists.latest.value.blocked).toEqual([])
  await expect(lists.mark('blocked', machine)).rejects.toMatchObject({ problem: { kind: 'no-account' } })
  end.abort()
  await following
})

test('what cannot be written is not shown as done', async () => {
  const folder = await temporaryFolder()
  const { lists } = await open(join(folder, 'offer-lists.json'))
  await lists.mark('blocked', machine)
  expect(await readFile(join(folder, 'offer-lists.json'), 'utf8')).toContain('RTX 4090')
  await rm(folder, { recursive: true })
  await writeFile(folder, 'a file where the folder was')
  await expect(lists.unmark('blocked', machine)).rejects.toMatchObject({
    problem: { kind: 'storage-failed' },
  })
  expect(lists.latest.value.blocked).toHaveLength(1)
})
