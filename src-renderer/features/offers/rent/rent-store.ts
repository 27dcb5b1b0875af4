import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import { onstartLimit } from '#domain/onstart.ts'
import { rentBody } from '#domain/rent-body.ts'
import { useSshAccessStore } from '#ui/stores/ssh-access.ts'

/** Disk of a new instance, in GB, where nothing else is said (service API 8). */
const defaultDiskGb = 8

/**
 * What a rental asks for besides the offer. It lasts until Slipway quits, so that another offer can be taken
 * with the same input; nothing of it is written to disk.
 */
export const useRentStore = defineStore('rent', () => {
  const ssh = useSshAccessStore()

  const image = ref('')
  const disk = ref(String(defaultDiskGb))
  const onstart = ref('')

  /** The user's own choice; `null` while there is none. */
  const keyChoice = ref<boolean | null>(null)
  const publicKey = computed(() => ssh.access?.vaultKey ?? null)
  const addSshKey = computed(() => keyChoice.value ?? ssh.access?.onAccount !== true)

  const diskGb = computed(() => {
    const typed = disk.value.trim()
    const value = typed === '' ? Number.NaN : Number(typed)
    return value > 0 && value <= 1_000_000 ? value : null
  })
  /** What would be sent, as far as it can be told. */
  const body = computed(() =>
    rentBody(
      {
        image: image.value,
        diskGb: diskGb.value ?? 0,
        onstart: onstart.value,
        addSshKey: addSshKey.value,
      },
      publicKey.value?.line ?? null,
    ),
  )
  const onstartLength = computed(() => body.value.onstart?.length ?? 0)

  const errors = computed(() => ({
    image: image.value.trim() === '' ? 'Name a container image, such as ubuntu:24.04.' : undefined,
    disk: diskGb.value === null ? 'A number of GB above 0.' : undefined,
    onstart:
      onstartLength.value > onstartLimit
        ? `${onstartLength.value - onstartLimit} characters too many: the service takes ${onstartLimit}. Shorten it, or let it download the rest.`
        : undefined,
    key:
      addSshKey.value && publicKey.value === null
        ? 'There is no SSH key yet. Create one, or switch this off.'
        : undefined,
  }))
  const isComplete = computed(() => Object.values(errors.value).every((error) => error === undefined))

  return {
    image,
    disk,
    onstart,
    keyChoice,
    publicKey,
    addSshKey,
    diskGb,
    body,
    onstartLength,
    errors,
    isComplete,
  }
})
