import { computed, shallowRef, watch, type ComputedRef } from 'vue'
import type { PreferencesChange } from '#domain/settings/settings.ts'
import { client } from '#ipc/client.ts'
import { newestCall } from './newest-call.ts'
import { useAction } from './use-action.ts'

interface KeptViewOptions<View> {
  /** What main has of it; `undefined` while that is not known. */
  readonly kept: () => View | undefined
  readonly initial: View
  /** The change of the preferences that keeps it. */
  readonly change: (view: View) => Omit<PreferencesChange, 'identityFiles' | 'ownEditor'>
}

interface KeptView<View> {
  readonly view: ComputedRef<View>
  /** Changes it without writing it down, for what is only a step on the way. */
  readonly show: (part: Partial<View>) => void
  readonly change: (part: Partial<View>) => void
}

/** How something is looked at. Every change is remembered among the preferences. */
export function useKeptView<View extends object>(options: KeptViewOptions<View>): KeptView<View> {
  const state = shallowRef<{ readonly view: View; readonly isOurs: boolean }>({
    view: options.kept() ?? options.initial,
    isOurs: false,
  })

  const saving = useAction((next: View) => client.settings.update(options.change(next)), { attempt: 'save' })
  /** At once, as the next thing may be to quit. */
  const save = newestCall(async () => {
    await saving.run(state.value.view)
  })
  function show(part: Partial<View>): void {
    state.value = { view: { ...state.value.view, ...part }, isOurs: true }
  }
  function change(part: Partial<View>): void {
    show(part)
    void save()
  }
  watch(options.kept, (kept) => {
    // What is being changed here is newer than what main has.
    if (kept && !state.value.isOurs) state.value = { view: kept, isOurs: false }
  })

  return { view: computed(() => state.value.view), show, change }
}
