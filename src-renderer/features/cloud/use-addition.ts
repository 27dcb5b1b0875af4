import { computed, onScopeDispose, reactive, ref, shallowReadonly, shallowRef, watch } from 'vue'
import {
  cloudFields,
  cloudProviders,
  cloudSchemas,
  isSecretCloudField,
  newCloudConnection,
  type CloudAddition,
  type CloudField,
  type CloudProvider,
  readRedirect,
} from '#domain/cloud/cloud-connection.ts'
import { client } from '#ipc/client.ts'
import { useAction } from '#ui/use-action.ts'
import { takenTexts } from './cloud-text.ts'

/** Has the provider's own fields, and no others. */
type CloudDraft = { readonly provider: CloudProvider } & Partial<Record<CloudField, string>>

/** What is typed to add a connection. It lives as long as the form: secrets are kept no longer. */
export function useAddition() {
  const provider = ref<CloudProvider>('s3')
  /** The same for whichever provider. */
  const name = ref('')
  const draftOf = (provider: CloudProvider) => ({
    provider,
    ...Object.fromEntries(
      cloudFields[provider].map((field) => [field, field === 'user_given_name' ? name : '']),
    ),
  })
  const drafts: Readonly<Record<CloudProvider, CloudDraft>> = reactive({
    s3: draftOf('s3'),
    b2: draftOf('b2'),
    hf: draftOf('hf'),
    drive: draftOf('drive'),
    filesync: draftOf('filesync'),
  })
  const draft = computed(() => drafts[provider.value])
  const schema = computed(() => cloudSchemas[provider.value])
  /** What was found in a pasted address. */
  const taken = ref<string | null>(null)
  const outcome = shallowRef<CloudAddition | null>(null)

  const sending = useAction(
    async () => {
      outcome.value = await client.cloud.add(newCloudConnection.parse(draft.value))
    },
    { attempt: 'save', failure: 'in-place' },
  )

  function type(field: CloudField, value: string): void {
    draft.value[field] = value
    if (field !== 'code') return
    const pasted = readRedirect(value)
    taken.value = null
    if (pasted.kind !== 'granted') return
    draft.value.code = pasted.code
    taken.value = takenTexts.code
    if (provider.value !== 'filesync') return
    if (pasted.state === null) {
      taken.value = takenTexts.codeOnly
      return
    }
    draft.value.state = pasted.state
    taken.value = takenTexts.codeAndState
  }

  function clear(): void {
    outcome.value = null
    sending.clear()
  }
  watch(provider, () => {
    taken.value = null
    clear()
  })

  /** Sends it once. What is typed must be right. */
  async function add(): Promise<void> {
    clear()
    await sending.run()
  }

  /** Leaves what is no secret. */
  function forgetSecrets(): void {
    for (const provider of cloudProviders)
      for (const field of cloudFields[provider]) if (isSecretCloudField(field)) drafts[provider][field] = ''
    taken.value = null
  }
  onScopeDispose(forgetSecrets)

  return {
    provider,
    draft,
    schema,
    taken,
    outcome: shallowReadonly(outcome),
    pending: sending.pending,
    problem: sending.problem,
    type,
    add,
    forgetSecrets,
  }
}
