import { describe, expect, test } from 'vitest'
import {
  blockFinder,
  emptyOfferLists,
  withMark,
  withoutMark,
  withoutSearch,
  withSearch,
  type SavedSearch,
} from '#domain/offers/offer-lists.ts'
import { markFinder, targetsOf, type OfferMark } from '#domain/offers/offer-mark.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'

const machine: OfferMark = { kind: 'machine', id: 7, title: 'RTX 4090', at: 1 }
const host: OfferMark = { kind: 'host', id: 7, title: 'a host', at: 2 }

describe('favourites and blocks', () => {
  test('are of the machine and its host, so that they outlive an offer', () => {
    const isBlocked = blockFinder(withMark(withMark(emptyOfferLists, 'blocked', machine), 'blocked', host))
    expect(isBlocked({ id: 1, machine_id: 7, host_id: 3 })).toEqual(machine)
    expect(isBlocked({ id: 2, machine_id: 8, host_id: 7 })).toEqual(host)
    expect(isBlocked({ id: 7, machine_id: 8, host_id: 3 })).toBeNull()
  })

  test('stand for the offer itself where the service names no machine', () => {
    expect(targetsOf({ id: 5, machine_id: 'x' })).toEqual({ machine: { kind: 'offer', id: 5 }, host: null })
    expect(markFinder([{ kind: 'offer', id: 5, title: '', at: 0 }])({ id: 5 })).not.toBeNull()
  })

  test('a machine is in one list only, by the newer word', () => {
    const lists = withMark(withMark(emptyOfferLists, 'blocked', machine), 'favorites', { ...machine, at: 9 })
    expect(lists.blocked).toEqual([])
    expect(lists.favorites).toEqual([{ ...machine, at: 9 }])
    expect(withoutMark(lists, 'favorites', machine)).toEqual(emptyOfferLists)
  })
})

test('a saved search is replaced in its place, and goes by its id', () => {
  const search = (id: string, name: string): SavedSearch => ({ id, name, query: defaultOfferQuery })
  const lists = withSearch(withSearch(emptyOfferLists, search('a', 'one')), search('b', 'two'))
  expect(withSearch(lists, search('a', 'renamed')).searches.map(({ name }) => name)).toEqual([
    'two',
    'renamed',
  ])
  expect(withoutSearch(lists, 'b').searches.map(({ id }) => id)).toEqual(['a'])
})
