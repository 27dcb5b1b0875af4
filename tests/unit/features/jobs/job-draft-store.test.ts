import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'
import type { RentHints } from '#domain/jobs/definition-file.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { aJob } from './a-job.ts'

const { instances } = vi.hoisted(() => ({ instances: [] as { id: number }[] }))
vi.mock('#shared/instances/instances-store.ts', () => ({ useInstancesStore: () => ({ instances }) }))
vi.mock('#shared/ssh/ssh-store.ts', () => ({ useSshStore: () => ({ access: { vaultKey: {} } }) }))
const { useJobDraftStore } = await import('../../../../src-renderer/features/jobs/job-draft-store.ts')

const limits = { machines: 5, capPerHourUsd: 0.7, bootMinutes: 12, giveUpAfterMinutes: 180 }
const rent: RentHints = { search: defaultOfferQuery, image: 'ubuntu:24.04', diskGb: 99, limits }
const read = (name: string, hints: RentHints | null) =>
  ({
    kind: 'read',
    folder: `/home/sam/${name}`,
    definition: { ...aJob().definition, name, then: 'keep', fetch: [] },
    rent: hints,
    unknown: [],
  }) as const
const rented = aJob({
  place: { kind: 'rent', searchName: 'cheap', query: defaultOfferQuery, plan: limits },
})
const template = { id: 3, hash_id: 'abc', name: 'Mine', image: 'mine', recommended_disk_space: 500 }

let store: ReturnType<typeof useJobDraftStore>
beforeEach(() => {
  setActivePinia(createPinia())
  store = useJobDraftStore()
})

/** Everything that a form can have of an earlier job. */
async function fillCompletely(): Promise<void> {
  store.take(read('first', rent))
  store.template = template
  await nextTick()
  store.change({ image: 'old:1', addSshKey: false, stopsItself: true, stopAfter: '77', exclude: 'old/' })
}

function typeOverDefinition(): void {
  store.take(read('mine', rent))
  store.change({ name: 'Changed' })
}

describe('what fills in the form replaces all of it', () => {
  test.each([
    ['a definition that rents nothing', () => store.take(read('second', null))],
    ['a definition that rents', () => store.take(read('second', rent))],
    ['a job on an instance', () => store.fill(aJob())],
    ['a job that rents', () => store.fill(rented)],
  ])('%s', async (_, fill) => {
    fill()
    const anew = JSON.stringify([store.draft, store.plan, store.search, store.suggested, store.isRepeat])
    store.clear()
    await fillCompletely()
    fill()
    store.replace()
    await nextTick()
    expect(JSON.stringify([store.draft, store.plan, store.search, store.suggested, store.isRepeat])).toBe(
      anew,
    )
    expect(store.template).toBeNull()
  })

  test('and clearing leaves nothing of it', async () => {
    const before = JSON.stringify([store.draft, store.plan])
    await fillCompletely()
    store.clear()
    await nextTick()
    expect(JSON.stringify([store.draft, store.plan])).toBe(before)
  })

  test('but an instance that is chosen stays the place', () => {
    store.begin(7)
    store.take(read('first', rent))
    expect(store.draft).toMatchObject({ place: 'instance', instanceId: 7, disk: '99' })
    store.change({ place: 'rent' })
    store.take(read('second', rent))
    expect(store.draft.place).toBe('rent')
    store.take(read('third', null))
    expect(store.draft).toMatchObject({ place: 'instance', instanceId: 7 })
  })
})

describe('what the user typed', () => {
  test.each([
    ['a command', () => store.change({ command: 'make' })],
    ['a price', () => store.plan.type({ cap: '3' })],
    ['over a definition', typeOverDefinition],
  ])('is replaced only if they say so: %s', (_, type) => {
    type()
    const typed = JSON.stringify([store.draft, store.plan])
    store.take(read('other', rent))
    expect(store.replacement?.definition.name).toBe('other')
    expect(JSON.stringify([store.draft, store.plan])).toBe(typed)
    store.keep()
    expect(store.replacement).toBeNull()
    store.fill(aJob())
    expect(JSON.stringify([store.draft, store.plan])).toBe(typed)
    store.replace()
    expect(store.replacement).toBeNull()
    expect(store.draft.name).toBe('Train')
  })

  test('isn’t asked about where nothing is lost: nothing typed, only a folder or an instance, or as it was filled in', () => {
    store.begin(7)
    store.change({ folder: '/home/sam' })
    store.take(read('first', rent))
    store.take(read('second', null))
    store.fill(rented)
    store.clear()
    store.fill(aJob())
    expect(store.replacement).toBeNull()
    expect(store.draft.name).toBe('Train')
  })
})

test('what can’t be used changes nothing but the folder, where one is known', () => {
  store.change({ command: 'make', folder: '/home/sam/mine' })
  store.take({ kind: 'faulty', fault: 'not-json', path: '' })
  expect(store.draft).toMatchObject({ command: 'make', folder: '/home/sam/mine' })
  store.take({ kind: 'none', folder: '/home/sam/other' })
  expect(store.draft).toMatchObject({ command: 'make', folder: '/home/sam/other' })
  expect(store.found?.kind).toBe('none')
})
