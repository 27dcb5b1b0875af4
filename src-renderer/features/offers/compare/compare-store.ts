import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import { mostCompared } from '#ui/compare/record-compare.ts'
import { defaultDiskGb } from '#domain/templates/template.ts'
import type { WantedUse } from '#domain/money/total-cost.ts'
import { formatNumber } from '#ui/format.ts'
import { useOffersStore } from '../offers-store.ts'
import { typedNumber } from '#domain/renting/typed-number.ts'

/** Above this nobody means it. */
export const mostOfAnything = 1_000_000

/** What the compared offers are to be used for. It lasts until Slipway quits. */
export const useCompareStore = defineStore('compare', () => {
  const offers = useOffersStore()

  const typed = ref({ hours: '24', diskGb: String(defaultDiskGb), upGb: '1', downGb: '20' })
  const wanted = computed<WantedUse>(() => ({
    hours: amountOf(typed.value.hours),
    diskGb: amountOf(typed.value.diskGb),
    upGb: amountOf(typed.value.upGb),
    downGb: amountOf(typed.value.downGb),
  }))
  const onlyDifferences = ref(false)

  /** Why the selected offers cannot be compared; `null` when they can. */
  const refusal = computed(() => {
    const many = offers.selected.size
    if (many < 2) return 'Select another one to compare them.'
    if (many <= mostCompared) return null
    return `At most ${mostCompared} can be compared side by side: take ${formatNumber(many - mostCompared)} off.`
  })

  return { typed, wanted, onlyDifferences, refusal }
})

function amountOf(text: string): number | null {
  const value = typedNumber(text)
  return value !== null && value >= 0 && value <= mostOfAnything ? value : null
}
