import { useMediaQuery } from '@vueuse/core'
import { defineStore } from 'pinia'
import { computed } from 'vue'
import { useOffersStore } from '../offers-store.ts'
import { plottableFields } from './plot-points.ts'

/** Which plot is shown beside the offers, and whether; remembered with how they are looked at. */
export const usePlotStore = defineStore('plot', () => {
  const offers = useOffersStore()

  /** Room for the plot beside the table (screens.md). */
  const isWide = useMediaQuery('(min-width: 1440px)')
  const isShown = computed({
    get: () => (isWide.value ? offers.view.plot.shownWide : offers.view.plot.shownNarrow),
    set: (shown: boolean) => offers.setPlot(isWide.value ? { shownWide: shown } : { shownNarrow: shown }),
  })

  const fields = computed(() => plottableFields(offers.found?.offers ?? []))
  /** The chosen one, or the first where no offer has it; `null` when none has any number of performance. */
  const field = computed(
    () => fields.value.find(({ name }) => name === offers.view.plot.field) ?? fields.value[0] ?? null,
  )

  return { isWide, isShown, fields, field, choose: (name: string) => offers.setPlot({ field: name }) }
})
