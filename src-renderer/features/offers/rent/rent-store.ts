import { defineStore, storeToRefs } from 'pinia'
import { computed, ref } from 'vue'
import { filtersFromJson } from '#domain/fields/filter-row.ts'
import { onstartLimit } from '#domain/renting/onstart.ts'
import { longestScript, type RentDraft, type RentOptions } from '#domain/renting/rent-request.ts'
import { effectiveRequest } from '#domain/templates/template-merge.ts'
import { defaultDiskGb } from '#domain/templates/template.ts'
import { formatNumber } from '#ui/format.ts'
import { useSshStore } from '#shared/ssh/ssh-store.ts'
import { typedSizeGb } from '#domain/renting/typed-number.ts'
import { useEnvironmentStore } from './environment-store.ts'
import { imageError } from '#shared/renting/image-error.ts'
import { rentingText } from '#shared/renting/renting-text.ts'
import { sizeHint } from '#shared/renting/size-hint.ts'
import { longPackedText, longScriptText, rentText } from './rent-text.ts'
import { useTemplateStore } from './template-store.ts'
import { useRentPreview } from './use-rent-preview.ts'
import { useVolumeStore } from './volume-store.ts'

/**
 * What a rental asks for besides the offer. It lasts until Slipway quits, so that another offer can be taken
 * with the same input; nothing of it is written to disk.
 */
export const useRentStore = defineStore('rent', () => {
  const ssh = useSshStore()
  const environment = useEnvironmentStore()
  const volume = useVolumeStore()

  const { template } = storeToRefs(useTemplateStore())
  const image = ref('')
  /** As typed; `null` while the template's, or the default, is good enough. */
  const typedDisk = ref<string | null>(null)
  const disk = computed({
    get: () => typedDisk.value ?? String(template.value?.recommended_disk_space ?? defaultDiskGb),
    set: (typed: string) => (typedDisk.value = typed),
  })
  /** The user's own script; `null` while the template's is good enough. */
  const ownScript = ref<string | null>(null)
  const templateScript = computed(() => template.value?.onstart ?? '')
  const onstart = computed({
    get: () => ownScript.value ?? templateScript.value,
    set: (typed: string) => (ownScript.value = typed === templateScript.value ? null : typed),
  })
  /** JSON, as typed. */
  const typedFilters = ref('')
  const extraFilters = computed(() => filtersFromJson(typedFilters.value))
  const keepInstanceKey = ref(false)

  /** The user's own choice; `null` while there is none. */
  const keyChoice = ref<boolean | null>(null)
  const publicKey = computed(() => ssh.access?.vaultKey ?? null)
  const addSshKey = computed({
    get: () => keyChoice.value ?? true,
    set: (add: boolean) => (keyChoice.value = add),
  })

  const diskGb = computed(() => typedSizeGb(disk.value))
  /** A first step for the key replaces the template's script unless that is sent along; so does packing it. */
  const sentScript = computed(() => {
    const isTemplateSent = addSshKey.value || templateScript.value.length > onstartLimit
    return ownScript.value ?? (isTemplateSent && templateScript.value !== '' ? templateScript.value : null)
  })
  const wrongImage = computed(() => imageError(image.value, template.value !== null))
  /** As far as it can be sent as it is typed. */
  const draft = computed((): RentDraft => ({
    image: wrongImage.value === undefined ? image.value.trim() || null : null,
    templateHashId: template.value?.hash_id ?? null,
    diskGb: diskGb.value,
    env: environment.env,
    onstart: sentScript.value,
    volume: volume.isValid ? volume.request : null,
    extraFilters: extraFilters.value.ok ? extraFilters.value.filters : {},
    addSshKey: addSshKey.value,
  }))
  const { preview, previewProblem, isBehind } = useRentPreview(draft, publicKey)
  /** The instance's settings, once template and request are merged. */
  const effective = computed(() =>
    preview.value === null ? null : effectiveRequest(template.value, preview.value.body),
  )

  const scriptError = computed(() => {
    if ((sentScript.value ?? '').length > longestScript) return longScriptText(formatNumber(longestScript))
    const excess = (preview.value?.onstartCharacters ?? 0) - onstartLimit
    return excess > 0 ? longPackedText(formatNumber(excess), formatNumber(onstartLimit)) : undefined
  })
  const errors = computed(() => ({
    image: wrongImage.value,
    disk: diskGb.value === null ? sizeHint() : undefined,
    volume: volume.isValid ? undefined : rentText.volumeIncomplete,
    environment: environment.isValid ? undefined : rentText.environmentWrong,
    extraFilters: extraFilters.value.ok ? undefined : extraFilters.value.why,
    onstart: scriptError.value,
    key: addSshKey.value && publicKey.value === null ? rentingText.keyMissing : undefined,
  }))
  const isComplete = computed(() => Object.values(errors.value).every((error) => error === undefined))
  /** `null` while something is missing or wrong. */
  const options = computed((): RentOptions | null =>
    isComplete.value && diskGb.value !== null ? { ...draft.value, diskGb: diskGb.value } : null,
  )

  return {
    template,
    image,
    typedDisk,
    disk,
    diskGb,
    onstart,
    ownScript,
    templateScript,
    typedFilters,
    keepInstanceKey,
    keyChoice,
    publicKey,
    addSshKey,
    options,
    preview,
    previewProblem,
    isBehind,
    effective,
    errors,
    isComplete,
  }
})
