import { readonly, ref, watch, type Ref } from 'vue'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/**
 * Calls `forget` whenever secrets are taken off the screen (nobody is there, sleep, a locked screen): what is being
 * typed may be one as well. The window is kept out of screenshots for as long as the surrounding component lives.
 *
 * @returns how often it was called, to be the `key` of the fields: a field holds what was last typed in it for as
 * long as it lives, also when it is empty again
 */
export function useClearSecrets(forget: () => void): Readonly<Ref<number>> {
  const { latest: screen } = useWatch(client.vault.watchScreen)
  const times = ref(0)
  watch(screen, (now, before) => {
    // The first answer tells how it was before anything could be typed.
    if (before === null || now === null || now.hiddenBy === null) return
    forget()
    times.value += 1
  })
  return readonly(times)
}
