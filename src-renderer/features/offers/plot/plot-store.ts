import { useMediaQuery } from '@vueuse/core'
import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import { useOffersStore } from '../offers-store.ts'
import { plottableFields } from './plot-points.ts'

/** Which plot is shown beside the offers, and whether. It lasts until Slipway quits. */
export const usePlotStore = defineStore('plot', () => {
  const offers = useOffersStore()

  /** Room for the plot beside the table (screens.md). */
  const isWide = useMediaQuery('(min-width: 1440px)')
  /** The user's own choice for wide and for narrow windows. */
  const choice = ref({ wide: true, narrow: false })
  const isShown = computed({
    get: () => (isWide.value ? choice.value.wide : choice.value.narrow),
    set: (shown: boolean) => (choice.value = { ...choice.value, [isWide.value ? 'wide' : 'narrow']: shown }),
  })

  const fields = computed(() => plottableFields(offers.found?.offers ?? []))
  const fieldName = ref<string | null>(null)
  /** `null` when no offer has any number of performance. */
  const field = computed(
    () => fields.value.find(({ name }) => name === fieldName.value) ?? fields.value[0] ?? null,
  )

  return { isWide, isShown, fields, fieldName, field }
})
