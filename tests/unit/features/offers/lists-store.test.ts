import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, test, vi } from 'vitest'
import { shallowRef } from 'vue'
import { emptyOfferLists, withMark, withoutMark, type OfferLists } from '#domain/offers/offer-lists.ts'
import type { MarkTarget } from '#domain/offers/offer-mark.ts'
import { settle } from '../../../support/fake-clock.ts'

/** What main was asked for, and what lets it answer. */
const asked = vi.hoisted((): { readonly what: string; readonly answer: () => void }[] => [])
const latest = shallowRef<OfferLists>(emptyOfferLists)

function asking(what: string, change: (target: MarkTarget) => OfferLists) {
  return (target: MarkTarget) =>
    new Promise<void>((done) => {
      const answer = (): void => {
        latest.value = change(target)
        done()
      }
      asked.push({ what: `${what} ${target.id}`, answer })
    })
}
vi.mock('#ipc/client.ts', () => ({
  client: {
    offers: {
      watchLists: null,
      addFavorite: asking('favourite', ({ kind, id }) =>
        withMark(latest.value, 'favorites', { kind, id, title: '', at: 0 }),
      ),
      removeFavorite: asking('no favourite', (target) => withoutMark(latest.value, 'favorites', target)),
      block: asking('block', ({ kind, id }) =>
        withMark(latest.value, 'blocked', { kind, id, title: '', at: 0 }),
      ),
      unblock: asking('unblock', (target) => withoutMark(latest.value, 'blocked', target)),
    },
  },
}))
vi.mock('#ipc/watch.ts', () => ({ useWatch: () => ({ latest }) }))
vi.mock('@nuxt/ui/composables/useToast', () => ({ useToast: () => ({ add: () => undefined }) }))
vi.stubGlobal('document', Object.assign(new EventTarget(), { activeElement: {}, body: {} }))
const { useOfferListsStore } = await import('../../../../src-renderer/features/offers/lists-store.ts')

const offerOf = (machine: number) => ({ id: 1000 + machine, machine_id: machine })
async function answerAll(): Promise<string[]> {
  const all: string[] = []
  for (await settle(); asked.length > 0; await settle()) {
    const [first] = asked.splice(0, 1)
    all.push(first?.what ?? '')
    first?.answer()
  }
  return all
}

beforeEach(() => {
  setActivePinia(createPinia())
  latest.value = emptyOfferLists
  asked.length = 0
})

test('rows that are marked faster than they are saved are all marked, in their order', async () => {
  const lists = useOfferListsStore()
  for (const machine of [1, 2, 3]) void lists.toggleFavorite(offerOf(machine))
  void lists.block(offerOf(4), { kind: 'machine', id: 4 })
  void lists.block(offerOf(5), { kind: 'machine', id: 5 })
  expect(await answerAll()).toEqual(['favourite 1', 'favourite 2', 'favourite 3', 'block 4', 'block 5'])
})

test('one that is marked twice in haste is none in the end', async () => {
  const lists = useOfferListsStore()
  void lists.toggleFavorite(offerOf(1))
  void lists.toggleFavorite(offerOf(1))
  expect(await answerAll()).toEqual(['favourite 1', 'no favourite 1'])
  expect(lists.lists.favorites).toEqual([])
})
