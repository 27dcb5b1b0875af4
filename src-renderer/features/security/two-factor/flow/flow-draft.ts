import { defineStore } from 'pinia'
import { reactive, ref } from 'vue'

/**
 * What is being typed in the procedure under way. It outlives its steps and the page, so that coming back finds it;
 * a new procedure begins with nothing.
 */
export const useFlowDraft = defineStore('security-flow-draft', () => {
  const flowId = ref<string | null>(null)
  /** By the choice of the verification, or `confirm`. */
  const codes = reactive(new Map<string, string>())
  const phoneNumber = ref('')
  const label = ref<string | null>(null)

  /** For the procedure of this id; what was typed for another one is forgotten. */
  function begin(id: string): void {
    if (flowId.value === id) return
    flowId.value = id
    forget()
  }
  function forget(): void {
    codes.clear()
    phoneNumber.value = ''
    label.value = null
  }
  return { codes, phoneNumber, label, begin, forget }
})
