import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, test, vi } from 'vitest'
import { effectScope, shallowRef } from 'vue'
import type { Filters } from '#domain/fields/filter.ts'
import { inParts } from '#contract/parts.ts'
import type { RecordList } from '#domain/rental-api/unreadable-record.ts'
import { template, type Template } from '#domain/templates/template.ts'
import { settle } from '../../../support/fake-clock.ts'

interface Question {
  readonly filters: Filters
  readonly answer: (found: readonly Template[]) => void
  readonly refuse: () => void
}
/** What the service was asked and has not answered yet. */
const open = vi.hoisted((): Question[] => [])
vi.mock('#ipc/client.ts', () => ({
  client: {
    templates: {
      watchDrafts: null,
      follow: ({ filters }: { filters: Filters }) => Promise.resolve(filters),
      search: ({ filters }: { filters: Filters }) =>
        new Promise<ReturnType<typeof inParts<RecordList<Template>>>>((resolve, reject) => {
          const answer = (templates: readonly Template[]): void =>
            resolve(inParts({ records: templates, unreadable: [] }))
          open.push({ filters, answer, refuse: () => reject(new Error('out to lunch')) })
        }),
    },
  },
}))
vi.mock('#ipc/watch.ts', () => ({ useWatch: () => ({ latest: null }) }))
vi.mock('#shared/accounts/account-store.ts', () => ({
  useAccountStore: () => ({ connected: { userId: 5 } }),
}))
vi.mock('@nuxt/ui/composables/useToast', () => ({ useToast: () => ({ add: () => undefined }) }))
vi.stubGlobal('document', Object.assign(new EventTarget(), { activeElement: {}, body: {} }))
const { useTemplateChoice } = await import('../../../../src-renderer/shared/renting/use-template-choice.ts')
const { useSharedTemplatesStore } =
  await import('../../../../src-renderer/shared/templates/templates-store.ts')
/** The one that is chosen. */
const chosen = shallowRef<Template | null>(null)

const templateOf = (id: number, hash_id = `hash-${id}`): Template =>
  template.parse({
    id,
    hash_id,
    name: `Template ${id}`,
    image: 'ubuntu',
    creator_id: 1,
    created_at: 0,
    count_created: 0,
    recent_create_date: 0,
  })

type Kind = 'creator_id' | 'recommended' | 'name' | 'hash_id'
/** What is asked now, each question taken off the list. */
async function asked(): Promise<Readonly<Partial<Record<Kind, Question>>>> {
  await settle()
  return Object.fromEntries(
    open.splice(0).map((question) => [Object.keys(question.filters).join(), question]),
  )
}

/** The sheet as it opens: the account has no templates, and none is recommended. */
async function opened() {
  const choice = effectScope().run(() => useTemplateChoice(chosen))
  if (choice === undefined) throw new Error('The scope has ended')
  const { creator_id, recommended } = await asked()
  creator_id?.answer([])
  recommended?.answer([])
  await settle()
  const hashesLookedUp = (): readonly string[] =>
    choice.groups.value
      .filter(({ heading }) => heading === 'Found')
      .flatMap(({ of }) => of.map(({ hash_id }) => hash_id))
  /** Looks up what has this name, or this hash id, and gets the answers; `null`: none comes. */
  const lookUp = async (
    text: string,
    named: readonly Template[] | null,
    hashed: readonly Template[] | null,
  ): Promise<void> => {
    void choice.lookUp(text)
    await answerLookUp(named, hashed)
  }
  return { ...choice, hashesLookedUp, lookUp }
}
async function answerLookUp(
  named: readonly Template[] | null,
  hashed: readonly Template[] | null,
): Promise<void> {
  const { name, hash_id } = await asked()
  if (named === null) name?.refuse()
  else name?.answer(named)
  if (hashed === null) hash_id?.refuse()
  else hash_id?.answer(hashed)
  await settle()
}

beforeEach(() => {
  setActivePinia(createPinia())
  chosen.value = null
  open.length = 0
})

test('the only template that a lookup finds is chosen', async () => {
  const { hashesLookedUp, lookUp } = await opened()
  await lookUp(' Seven ', [templateOf(7)], [])
  expect(hashesLookedUp()).toEqual(['hash-7'])
  expect(chosen.value?.id).toBe(7)
})

test('a lookup that failed is asked again as a whole, and then its template is chosen', async () => {
  const { lookUp, problem, isLoading, tryAgain } = await opened()
  await lookUp('Seven', [templateOf(7)], null)
  expect(problem.value).not.toBeNull()
  expect(chosen.value).toBeNull()
  void tryAgain()
  const { name, hash_id, ...others } = await asked()
  expect(isLoading.value).toBe(true)
  expect(others).toEqual({})
  expect([name?.filters, hash_id?.filters]).toEqual([{ name: { eq: 'Seven' } }, { hash_id: { eq: 'Seven' } }])
  name?.answer([templateOf(7)])
  hash_id?.answer([])
  await settle()
  expect(problem.value).toBeNull()
  expect(isLoading.value).toBe(false)
  expect(chosen.value?.id).toBe(7)
})

test('a lookup that failed, once more, finds nothing: that is said', async () => {
  const { lookUp, notFound, tryAgain } = await opened()
  await lookUp('Seven', null, null)
  expect(notFound.value).toBeNull()
  void tryAgain()
  await answerLookUp([], [])
  expect(notFound.value).toBe('Seven')
})

test('a list that failed is asked again, and a lookup that was answered is not', async () => {
  const choice = effectScope().run(() => useTemplateChoice(chosen))
  const first = await asked()
  first.creator_id?.answer([])
  first.recommended?.refuse()
  await settle()
  expect(choice?.problem.value).not.toBeNull()
  void choice?.lookUp('Seven')
  await answerLookUp([templateOf(7)], [])
  void choice?.tryAgain()
  expect(Object.keys(await asked())).toEqual(['creator_id', 'recommended'])
})

test('as long as half of a lookup has no answer, what the one before found stays listed', async () => {
  const { hashesLookedUp, lookUp } = await opened()
  await lookUp('Seven', [], [templateOf(7)])
  await lookUp('Eight', [templateOf(8)], null)
  expect(hashesLookedUp()).toEqual(['hash-7'])
  await lookUp('Nine', [templateOf(9)], [])
  expect(hashesLookedUp()).toEqual(['hash-9'])
})

test('a template that was edited is not listed twice when only half of its lookup is refreshed', async () => {
  const { hashesLookedUp, lookUp } = await opened()
  await lookUp('Seven', [templateOf(7, 'before')], [templateOf(7, 'before')])
  useSharedTemplatesStore().tell({ id: 7, now: templateOf(7, 'after') })
  const { name, hash_id } = await asked()
  name?.answer([templateOf(7, 'after')])
  hash_id?.refuse()
  await settle()
  expect(hashesLookedUp()).toEqual(['before'])
})

test('who chose another template in the meantime keeps it', async () => {
  const { choose, groups, lookUp, problem, tryAgain } = await opened()
  await lookUp('Eight', [templateOf(8)], [])
  await lookUp('Seven', null, null)
  choose('hash-8')
  void tryAgain()
  await answerLookUp([templateOf(7)], [])
  expect(problem.value).toBeNull()
  expect(chosen.value?.id).toBe(8)
  expect(groups.value.flatMap(({ of }) => of.map(({ id }) => id))).toEqual([7, 8])
})
