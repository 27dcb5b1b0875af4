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
import { useSharedTemplatesStore } from '#shared/templates/templates-store.ts'
import type { FilterFields } from '#ui/filters/filter-fields.ts'
import { sortedTexts, withSeen, type SeenValues } from '#ui/filters/seen-values.ts'
import { whenIdle } from '#ui/painted.ts'
import { useEditHistory } from '#ui/use-edit-history.ts'

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

  const { searched } = useSharedTemplatesStore()
  const found = computed(() => searched.found)
  const seen = shallowRef<SeenValues>(new Map())
  /** Asks the service. The rows say what was asked for, unless they ask for something else by now. */
  async function ask(typed: Filters): Promise<void> {
    if (!(await searched.ask(typed)) || found.value === null) return
    const { templates, filters } = found.value
    whenIdle(() => (seen.value = withSeen(seen.value, templates)))
    if (isSameJson(filters, typed)) return
    searched.lastAsked = filters
    if (asked.value.ok && isSameJson(asked.value.filters, typed))
      edit(rows.value.map((row) => withHashesOf(filters, row)))
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
    if (searched.lastAsked) await ask(searched.lastAsked)
  }

  const filterFields = computed((): FilterFields => ({
    catalog: templateSearchFields,
    present: [],
    takesOtherNames: false,
    operatorsFor: allOperatorsFor,
    textsSeen: (field) => sortedTexts(seen.value.get(field)),
  }))

  return {
    filterRows: rows,
    asked,
    found,
    lastAsked: computed(() => searched.lastAsked),
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
    isSearching: computed(() => searched.isLoading),
    problem: computed(() => searched.problem),
    search,
    begin,
    refresh,
  }
}
