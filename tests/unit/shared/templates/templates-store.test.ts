import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Filters } from '#domain/fields/filter.ts'
import { inParts } from '#contract/parts.ts'
import type { RecordList } from '#domain/rental-api/unreadable-record.ts'
import { template, type Template } from '#domain/templates/template.ts'
import { settle } from '../../../support/fake-clock.ts'

/** What the service was asked for, and what lets it answer. */
const asked = vi.hoisted(
  (): { readonly filters: Filters; readonly answer: (found: Template[]) => void }[] => [],
)
const search = ({ filters }: { filters: Filters }) =>
  new Promise<ReturnType<typeof inParts<RecordList<Template>>>>((answer) =>
    asked.push({ filters, answer: (templates) => answer(inParts({ records: templates, unreadable: [] })) }),
  )
const follow = ({ filters }: { filters: Filters }) =>
  Promise.resolve(filters['hash_id']?.['eq'] === 'before' ? { hash_id: { eq: 'after' } } : filters)
vi.mock('#ipc/client.ts', () => ({ client: { templates: { watchDrafts: null, search, follow } } }))
vi.mock('#ipc/watch.ts', () => ({ useWatch: () => ({ latest: null }) }))
vi.mock('@nuxt/ui/composables/useToast', () => ({ useToast: () => ({ add: () => undefined }) }))
vi.stubGlobal('document', Object.assign(new EventTarget(), { activeElement: {}, body: {} }))
const { useSharedTemplatesStore } =
  await import('../../../../src-renderer/shared/templates/templates-store.ts')

const one = template.parse({
  id: 7,
  hash_id: 'after',
  name: 'One',
  image: 'ubuntu',
  readme: 'long',
  creator_id: 1,
  created_at: 0,
  count_created: 0,
  recent_create_date: 0,
})

beforeEach(() => {
  setActivePinia(createPinia())
  asked.length = 0
})

test('what is still on its way gives way to the newer question', async () => {
  const { searched } = useSharedTemplatesStore()
  const first = searched.ask({ name: { eq: 'first' } })
  await settle()
  const second = searched.ask({ name: { eq: 'second' } })
  asked[0]?.answer([])
  await settle()
  asked[1]?.answer([one])
  expect([await first, await second]).toEqual([false, true])
  expect(searched.found).toMatchObject({ templates: [one], filters: { name: { eq: 'second' } } })
})

test('a template is found by the hash id that it had before an edit', async () => {
  const { byHash } = useSharedTemplatesStore()
  const answered = byHash.ask({ hash_id: { eq: 'before' } })
  await settle()
  expect(asked.map(({ filters }) => filters)).toEqual([{ hash_id: { eq: 'after' } }])
  asked[0]?.answer([one])
  expect(await answered).toBe(true)
  expect(byHash.found?.filters).toEqual({ hash_id: { eq: 'after' } })
})

test('a list is current while its answer is the one to the last question', async () => {
  const { searched } = useSharedTemplatesStore()
  expect(searched.isCurrent).toBe(false)
  const first = searched.ask({ name: { eq: 'first' } })
  await settle()
  asked[0]?.answer([one])
  await first
  expect(searched.isCurrent).toBe(true)
  void searched.ask({ name: { eq: 'second' } })
  expect(searched.isCurrent).toBe(false)
})

test('a list is not current when a template changed after it was asked for', async () => {
  const templates = useSharedTemplatesStore()
  const { brief } = templates
  const asking = brief.ask({})
  await settle()
  templates.tell({ id: 7, now: null })
  asked[0]?.answer([one])
  await asking
  expect(brief.found?.templates).toEqual([{ id: 7, title: 'One', image: 'ubuntu:latest', words: '7 after ' }])
  expect(brief.isCurrent).toBe(false)
  const refreshing = brief.refresh()
  await settle()
  asked[1]?.answer([])
  await refreshing
  expect(brief.isCurrent).toBe(true)
})
