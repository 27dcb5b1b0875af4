import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import { defaultColumnsView, type ColumnsView } from '#domain/fields/columns-view.ts'
import { fieldOf } from '#domain/fields/field-format.ts'
import { templateRecordFields } from '#domain/templates/template-fields.ts'
import type { Template } from '#domain/templates/template.ts'
import { usePreferencesStore } from '#shared/settings/preferences-store.ts'
import { quickFilter, recordTexts } from '#ui/table/quick-filter.ts'
import { useColumns } from '#ui/table/use-columns.ts'
import { useSelection } from '#ui/table/use-selection.ts'
import { useSorting } from '#ui/table/use-sorting.ts'
import { useKeptView } from '#ui/use-kept-view.ts'
import { useTemplateSearch } from './search/use-template-search.ts'
import { cellText } from './table/cell-text.ts'

/** Found by these as well, whether they are columns or not. */
const alwaysFound = ['name', 'image', 'tag', 'desc', 'hash_id'].map((name) =>
  templateRecordFields.field(name),
)

/** The search for templates, what was found, and how it is looked at. */
export const useTemplatesStore = defineStore('templates', () => {
  const preferences = usePreferencesStore()
  const search = useTemplateSearch()
  const all = computed<readonly Template[]>(() => search.found.value?.templates ?? [])
  const { view, show, change } = useKeptView<ColumnsView>({
    kept: () => preferences.preferences?.templateView,
    initial: defaultColumnsView,
    change: (templateView) => ({ templateView }),
  })
  const columns = useColumns({
    rows: all,
    catalog: templateRecordFields,
    textOf: cellText,
    view,
    show,
    change,
  })

  const quickText = ref('')
  const quick = computed(() =>
    quickFilter<Template>(
      recordTexts([...new Set([...columns.visibleColumns.value, ...alwaysFound])], ['id', 'creator_id']),
    ),
  )
  const filtered = computed(() =>
    quickText.value.trim() === '' ? all.value : all.value.filter(quick.value(quickText.value)),
  )
  const sorting = useSorting(filtered, fieldOf)
  const { selectedRows, ...selection } = useSelection({ all, rows: sorting.rows })

  return {
    ...search,
    ...columns,
    ...sorting,
    ...selection,
    selectedTemplates: selectedRows,
    quickText,
  }
})
