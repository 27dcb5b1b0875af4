import { until } from '@vueuse/core'
import { computed, shallowRef } from 'vue'
import {
  filterOperators,
  operatorsFor,
  type FilterInput,
  type FilterOperator,
  type Filters,
} from '#domain/fields/filter.ts'
import { draftOfFilters, filtersOfDraft, type FilterRow } from '#domain/fields/filter-row.ts'
import { isSameJson } from '#domain/base/json-value.ts'
import { templateSearchFields } from '#domain/templates/template-fields.ts'
import type { Template } from '#domain/templates/template.ts'
import { client } from '#ipc/client.ts'
import type { FilterFields } from '#ui/filters/filter-fields.ts'
import { sortedTexts, withSeen, type SeenValues } from '#ui/filters/seen-values.ts'
import { useEditHistory } from '#ui/use-edit-history.ts'
import { useAction } from '#ui/use-action.ts'

export interface Found {
  readonly templates: readonly Template[]
  /** What was asked, which need not be what is being edited now. */
  readonly filters: Filters
  /** When it was answered, ms since the epoch. */
  readonly at: number
}

/** The usual operators first; the service takes all eight on every field (service API 4.5). */
function allOperatorsFor(input: FilterInput): readonly FilterOperator[] {
  return [...new Set([...operatorsFor(input), ...filterOperators])]
}

/** The row as these filters have it, if it is one that asks for hash ids. */
function withHashesOf({ hash_id = {} }: Filters, row: FilterRow): FilterRow {
  if (row.field !== 'hash_id' || row.values.every((text) => text.trim() === '')) return row
  const { rows } = draftOfFilters({ hash_id }, templateSearchFields)
  return rows.find(({ operator }) => operator === row.operator) ?? row
}

/** The search for templates: what is asked for, and what was found. */
export function useTemplateSearch() {
  const { present: rows, edit, canUndo, canRedo, undo, redo } = useEditHistory<readonly FilterRow[]>([])
  const asked = computed(() => filtersOfDraft({ rows: rows.value, json: '' }, templateSearchFields))

  /** `null` before the first answer; a later failure keeps it. */
  const found = shallowRef<Found | null>(null)
  const seen = shallowRef<SeenValues>(new Map())
  const lastAsked = shallowRef<Filters | null>(null)

  const searching = useAction(
    async (typed: Filters, signal: AbortSignal) => {
      const filters = await followed(typed)
      if (signal.aborted) return
      const templates = await client.templates.search({ filters }, { signal }).catch((error: unknown) => {
        if (signal.aborted) return null
        throw error
      })
      // Another question has another answer.
      if (templates === null || signal.aborted) return
      found.value = { templates, filters, at: Date.now() }
      seen.value = withSeen(seen.value, templates)
    },
    { attempt: 'search', failure: 'in-place' },
  )
  /** An edit gives a template another hash id. The rows say what is asked for, unless they ask for something else by now. */
  async function followed(typed: Filters): Promise<Filters> {
    if (!Object.hasOwn(typed, 'hash_id')) return typed
    const filters = await client.templates.follow({ filters: typed })
    if (isSameJson(filters, typed)) return filters
    if (isSameJson(lastAsked.value, typed)) lastAsked.value = filters
    if (asked.value.ok && isSameJson(asked.value.filters, typed))
      edit(rows.value.map((row) => withHashesOf(filters, row)))
    return filters
  }
  let asking = new AbortController()
  /** Asks the service; what is still on its way gives way to the newer question. */
  async function ask(filters: Filters): Promise<void> {
    asking.abort()
    const { signal } = (asking = new AbortController())
    lastAsked.value = filters
    await until(searching.pending).toBe(false)
    if (!signal.aborted) await searching.run(filters, signal)
  }

  async function search(): Promise<void> {
    if (asked.value.ok) await ask(asked.value.filters)
  }
  /** Puts a search into the rows, which can be undone, and asks for it. */
  async function begin(filters: Filters): Promise<void> {
    edit(draftOfFilters(filters, templateSearchFields).rows)
    await ask(filters)
  }
  /** Asks once more what was asked last, whatever has been edited since. */
  async function refresh(): Promise<void> {
    if (lastAsked.value) await ask(lastAsked.value)
  }

  const filterFields = computed((): FilterFields => ({
    catalogue: templateSearchFields,
    present: [],
    takesOtherNames: false,
    operatorsFor: allOperatorsFor,
    textsSeen: (field) => sortedTexts(seen.value.get(field)),
  }))

  return {
    filterRows: rows,
    asked,
    found,
    lastAsked,
    filterFields,
    edit,
    canUndo,
    canRedo,
    undo,
    redo,
    /** Whether what is shown is of another search than the one that is being edited. */
    isEdited: computed(
      () => found.value !== null && asked.value.ok && !isSameJson(found.value.filters, asked.value.filters),
    ),
    isSearching: searching.pending,
    problem: searching.problem,
    search,
    begin,
    refresh,
  }
}
