import { computed, ref, type UnwrapNestedRefs } from 'vue'
import { retryPlan, type RetryPlan } from '#domain/renting/retry.ts'
import { typedNumber } from '#domain/renting/typed-number.ts'
import { retryPlanText } from './renting-text.ts'

/** What is typed for auto-retry: attempts, price, and times. */
export function createRetryPlanDraft() {
  const machines = ref('3')
  /** Empty: what that means is up to the form. */
  const cap = ref('')
  const bootMinutes = ref('10')
  const giveUpHours = ref('2')

  const errors = computed(() => ({
    machines: problemOf('machines', typedNumber(machines.value), retryPlanText.machines),
    cap:
      cap.value.trim() === ''
        ? undefined
        : problemOf('capPerHourUsd', typedNumber(cap.value) ?? 0, retryPlanText.price),
    bootMinutes: problemOf('bootMinutes', typedNumber(bootMinutes.value), retryPlanText.bootMinutes),
    giveUpHours: problemOf('giveUpAfterMinutes', giveUpMinutes(), retryPlanText.giveUpHours),
  }))

  function giveUpMinutes(): number | null {
    const hours = typedNumber(giveUpHours.value)
    return hours === null ? null : hours * 60
  }

  /** The plan with a highest price; `null` when something typed can't be used, or none is known. */
  function planWithin(capPerHourUsd: number | null): RetryPlan | null {
    if (capPerHourUsd === null) return null
    const parsed = retryPlan.safeParse({
      machines: typedNumber(machines.value),
      capPerHourUsd,
      bootMinutes: typedNumber(bootMinutes.value),
      giveUpAfterMinutes: giveUpMinutes(),
    })
    return parsed.success ? parsed.data : null
  }

  function type(typed: Partial<Record<'machines' | 'cap' | 'bootMinutes' | 'giveUpHours', string>>): void {
    machines.value = typed.machines ?? machines.value
    cap.value = typed.cap ?? cap.value
    bootMinutes.value = typed.bootMinutes ?? bootMinutes.value
    giveUpHours.value = typed.giveUpHours ?? giveUpHours.value
  }

  return { machines, cap, bootMinutes, giveUpHours, errors, planWithin, type }
}

/** As components take it: a store, or `reactive(createRetryPlanDraft())`. */
export type RetryPlanDraft = UnwrapNestedRefs<ReturnType<typeof createRetryPlanDraft>>

function problemOf(field: keyof RetryPlan, value: number | null, message: string): string | undefined {
  return retryPlan.shape[field].safeParse(value).success ? undefined : message
}
