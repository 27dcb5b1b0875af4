import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { VolumeRequest } from '#domain/renting/rent-request.ts'
import { typedNumber, typedSizeGb } from '#domain/renting/typed-number.ts'
import { sizeHint } from '#shared/renting/size-hint.ts'
import { rentText } from './rent-text.ts'

/** The volume of a rental as it's typed. */
export const useVolumeStore = defineStore('rent-volume', () => {
  const kind = ref<'none' | VolumeRequest['kind']>('none')
  /** Of the volume, or of the volume offer. */
  const id = ref('')
  const sizeGb = ref('')
  const mountPath = ref('/data')

  const errors = computed(() => ({
    id: isId(typedNumber(id.value)) ? undefined : rentText.volumeId,
    sizeGb: kind.value === 'create' && typedSizeGb(sizeGb.value) === null ? sizeHint() : undefined,
    mountPath: /^\/[^\0]/.test(mountPath.value.trim()) ? undefined : rentText.mountPath,
  }))
  const isValid = computed(
    () => kind.value === 'none' || Object.values(errors.value).every((error) => error === undefined),
  )
  /** What is asked for, once it is valid. */
  const request = computed((): VolumeRequest | null => {
    const path = mountPath.value.trim()
    const number = typedNumber(id.value) ?? 0
    switch (kind.value) {
      case 'none':
        return null
      case 'link':
        return { kind: 'link', volumeId: number, mountPath: path }
      case 'create':
        return {
          kind: 'create',
          volumeOfferId: number,
          sizeGb: typedSizeGb(sizeGb.value) ?? 0,
          mountPath: path,
        }
    }
  })

  return { kind, id, sizeGb, mountPath, errors, isValid, request }
})

function isId(value: number | null): boolean {
  return value !== null && Number.isSafeInteger(value) && value > 0
}
