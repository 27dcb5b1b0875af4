import { getCurrentScope, onScopeDispose, readonly, ref, type Ref } from 'vue'

const now = ref(Date.now())
let users = 0
let timer: ReturnType<typeof setInterval> | undefined

/** The time in ms, a second apart. One timer for the whole window, running only while somebody looks at it. */
export function useNow(): Readonly<Ref<number>> {
  if (!getCurrentScope()) throw new Error('useNow belongs in a setup function')
  users += 1
  if (users === 1) {
    now.value = Date.now()
    timer = setInterval(() => (now.value = Date.now()), 1000)
  }
  onScopeDispose(() => {
    users -= 1
    if (users === 0) clearInterval(timer)
  })
  return readonly(now)
}
