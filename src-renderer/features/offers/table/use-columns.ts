import { computed, ref, watch, type Ref } from 'vue'
import type { Field } from '#domain/field-format.ts'
import { offerFields } from '#domain/offer-fields.ts'
import { defaultOfferView, moved, type OfferView } from '#domain/offer-view.ts'
import type { Offer } from '#domain/offer.ts'
import { client } from '#ipc/client.ts'
import { usePreferencesStore } from '#ui/stores/preferences.ts'
import { useAction } from '#ui/useAction.ts'

/** The columns of the table: which, in which order, how wide, and how often they are refreshed; remembered. */
export function useColumns(offers: Readonly<Ref<readonly Offer[]>>) {
  const preferences = usePreferencesStore()
  const view = ref<OfferView>(preferences.preferences?.offerView ?? defaultOfferView)
  let isOurs = false

  const saving = useAction((next: OfferView) => client.settings.update({ offerView: next }), {
    attempt: 'save',
  })
  let isUnsaved = false
  /** At once, as the next thing may be to quit; while one is being written the newest waits its turn. */
  async function save(): Promise<void> {
    isUnsaved = true
    if (saving.pending.value) return
    while (isUnsaved) {
      isUnsaved = false
      await saving.run(view.value)
    }
  }
  function show(part: Partial<OfferView>): void {
    isOurs = true
    view.value = { ...view.value, ...part }
  }
  function change(part: Partial<OfferView>): void {
    show(part)
    void save()
  }
  watch(
    () => preferences.preferences?.offerView,
    (kept) => {
      // What is being changed here is newer than what main has.
      if (kept && !isOurs) view.value = kept
    },
    { immediate: true },
  )

  /** Every field that the found offers have. */
  const columns = computed(() => offerFields.present(offers.value))
  const isThere = computed(() => new Map(columns.value.map((field) => [field.name, field])))
  /** The wanted columns, also those that no offer has at the moment. */
  const wanted = computed(
    () => view.value.columns ?? offerFields.fields.filter(({ shown }) => shown).map(({ name }) => name),
  )
  const visibleColumns = computed(() =>
    wanted.value
      .map((name) => isThere.value.get(name))
      .filter((field): field is Field => field !== undefined),
  )

  function showColumn(name: string, isShown: boolean): void {
    const others = wanted.value.filter((other) => other !== name)
    change({ columns: isShown ? [...others, name] : others })
  }
  /** @param to place among the visible columns */
  function moveColumn(name: string, to: number): void {
    const visible = visibleColumns.value.map((field) => field.name)
    const absent = wanted.value.filter((other) => !visible.includes(other))
    change({ columns: [...moved(visible, name, to), ...absent] })
  }
  /** @param isOngoing while it is dragged, in many small steps: only where it comes to rest is written */
  function resizeColumn(name: string, px: number, isOngoing = false): void {
    const widthPx = Math.round(Math.min(600, Math.max(40, px)))
    const part = { widthsPx: { ...view.value.widthsPx, [name]: widthPx } }
    if (isOngoing) show(part)
    else change(part)
  }
  /** Back to the width that its content asks for. */
  function fitColumn(name: string): void {
    const { [name]: _, ...others } = view.value.widthsPx
    change({ widthsPx: others })
  }

  return {
    view,
    columns,
    visibleColumns,
    showColumn,
    moveColumn,
    resizeColumn,
    fitColumn,
    resetColumns: () => change({ columns: null, widthsPx: {} }),
    setRefreshSeconds: (refreshSeconds: number) => change({ refreshSeconds }),
  }
}
