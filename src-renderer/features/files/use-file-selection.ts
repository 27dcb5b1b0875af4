import { computed, shallowRef, watch, type Ref } from 'vue'
import { extendedTo, keptRows, noRows, toggled, type RowSelection } from '#ui/row-selection.ts'
import type { FileRow } from './use-file-rows.ts'
import type { Folder } from './use-folder.ts'

/**
 * What is selected of a folder, by name. Only what is shown is: nobody should delete or copy what a filter or the switch
 * for hidden files keeps from sight.
 */
export function useFileSelection(folder: Folder, rows: Readonly<Ref<readonly FileRow[]>>) {
  const selection = shallowRef<RowSelection<string>>(noRows)
  const names = computed(() => rows.value.map(({ entry }) => entry.name))
  const chosen = computed(() => selection.value.ids)

  let path = folder.path.value
  watch(
    names,
    (now) => {
      const isSame = folder.path.value === path
      path = folder.path.value
      if (!isSame) selection.value = noRows
      else if (chosen.value.size > 0) {
        const there = new Set(now)
        selection.value = keptRows(selection.value, (name) => there.has(name))
      }
    },
    { flush: 'sync' },
  )

  return {
    chosen,
    /** In the order in which they are shown. */
    chosenRows: computed(() => rows.value.filter(({ entry }) => chosen.value.has(entry.name))),
    isAll: computed(() => chosen.value.size > 0 && chosen.value.size === names.value.length),
    only: (name: string) => {
      selection.value = { ids: new Set([name]), anchor: name }
    },
    toggle: (name: string) => {
      selection.value = toggled(selection.value, name)
    },
    /** @param from where the range begins if nothing was selected on its own */
    extendTo: (name: string, from = name) => {
      const begun = selection.value.anchor === null ? { ids: chosen.value, anchor: from } : selection.value
      selection.value = extendedTo(begun, name, names.value)
    },
    all: () => {
      selection.value = { ids: new Set(names.value), anchor: null }
    },
    clear: () => {
      selection.value = noRows
    },
  }
}
