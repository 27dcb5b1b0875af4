import { computed, onScopeDispose, reactive, ref, shallowReadonly, shallowRef, watch } from 'vue'
import {
  cloudFields,
  isSecretCloudField,
  readCloudDraft,
  type CloudAddition,
  type CloudDraft,
  type CloudField,
  type CloudProvider,
  type NewCloudConnection,
  readRedirect,
} from '#domain/cloud/cloud-connection.ts'
import { client } from '#ipc/client.ts'
import { useAction } from '#ui/use-action.ts'

const allFields: readonly CloudField[] = Object.values(cloudFields).flat()

/** What is typed to add a connection. It lives as long as the form: secrets are kept no longer. */
export function useAddition() {
  const provider = ref<CloudProvider>('s3')
  const drafts = reactive<Partial<Record<CloudProvider, Partial<Record<CloudField, string>>>>>({})
  const draft = computed<CloudDraft>(() => drafts[provider.value] ?? {})
  const wasSubmitted = ref(false)
  /** What was found in a pasted address. */
  const taken = ref<string | null>(null)
  const outcome = shallowRef<CloudAddition | null>(null)

  const read = computed(() => readCloudDraft(provider.value, draft.value))
  const errors = computed<CloudDraft>(() => (wasSubmitted.value && !read.value.ok ? read.value.errors : {}))

  const sending = useAction(
    async (connection: NewCloudConnection) => {
      outcome.value = await client.cloud.add(connection)
    },
    { attempt: 'save', failure: 'in-place' },
  )

  function type(field: CloudField, value: string): void {
    const fields = (drafts[provider.value] ??= {})
    fields[field] = value
    if (field !== 'code') return
    const pasted = readRedirect(value)
    taken.value = null
    if (pasted.kind !== 'granted') return
    fields.code = pasted.code
    taken.value = 'The code was taken from the address.'
    if (provider.value !== 'filesync') return
    if (pasted.state === null) {
      taken.value = 'The code was taken from the address. It holds no state.'
      return
    }
    fields.state = pasted.state
    taken.value = 'The code and the state were taken from the address.'
  }

  watch(provider, (next, before) => {
    const name = drafts[before]?.user_given_name
    if (name !== undefined) (drafts[next] ??= {}).user_given_name ??= name
    wasSubmitted.value = false
    taken.value = null
    outcome.value = null
    sending.clear()
  })

  /** Sends it once, if nothing is wrong with it. True when there was something to send. */
  async function add(): Promise<boolean> {
    wasSubmitted.value = true
    outcome.value = null
    sending.clear()
    if (!read.value.ok) return false
    await sending.run(read.value.connection)
    return true
  }

  function forgetFields(fields: readonly CloudField[]): void {
    for (const typed of Object.values(drafts))
      for (const field of fields) Reflect.deleteProperty(typed, field)
    wasSubmitted.value = false
    taken.value = null
  }
  const forget = (): void => forgetFields(allFields)
  const forgetSecrets = (): void => forgetFields(allFields.filter(isSecretCloudField))
  onScopeDispose(forget)

  return {
    provider,
    draft,
    errors,
    taken,
    outcome: shallowReadonly(outcome),
    pending: sending.pending,
    problem: sending.problem,
    type,
    add,
    forget,
    /** Leaves what is no secret. */
    forgetSecrets,
  }
}
