import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import { defaultDiskGb } from '#domain/templates/template.ts'
import type { WantedUse } from '#domain/money/total-cost.ts'
import { typedNumber } from '#domain/renting/typed-number.ts'

/** Above this nobody means it. */
export const mostOfAnything = 1_000_000

/** What the compared offers are to be used for. It lasts until Slipway quits. */
export const useCompareStore = defineStore('compare', () => {
  const typed = ref({ hours: '24', diskGb: String(defaultDiskGb), upGb: '1', downGb: '20' })
  const wanted = computed<WantedUse>(() => ({
    hours: amountOf(typed.value.hours),
    diskGb: amountOf(typed.value.diskGb),
    upGb: amountOf(typed.value.upGb),
    downGb: amountOf(typed.value.downGb),
  }))
  const onlyDifferences = ref(false)

  return { typed, wanted, onlyDifferences }
})

function amountOf(text: string): number | null {
  const value = typedNumber(text)
  return value !== null && value >= 0 && value <= mostOfAnything ? value : null
}
