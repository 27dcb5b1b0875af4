import { computed, type Ref } from 'vue'
import type { Field } from '#domain/field-format.ts'
import { offerFields } from '#domain/offer-fields.ts'
import { canBeColumn, movedAmong, type OfferView } from '#domain/offer-view.ts'
import type { Offer } from '#domain/offer.ts'

/** The columns of the table: which, in which order, and how wide. */
export function useColumns({
  offers,
  view,
  show,
  change,
}: {
  readonly offers: Readonly<Ref<readonly Offer[]>>
  readonly view: Readonly<Ref<OfferView>>
  readonly show: (part: Partial<OfferView>) => void
  readonly change: (part: Partial<OfferView>) => void
}) {
  /** Every field that the found offers have and that can be a column. */
  const columns = computed(() => offerFields.present(offers.value).filter(({ name }) => canBeColumn(name)))
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
    change({ columns: movedAmong(wanted.value, (other) => isThere.value.has(other), name, to) })
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
    columns,
    visibleColumns,
    showColumn,
    moveColumn,
    resizeColumn,
    fitColumn,
    resetColumns: () => change({ columns: null, widthsPx: {} }),
  }
}
