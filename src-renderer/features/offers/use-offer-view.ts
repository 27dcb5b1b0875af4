import { ref, watch } from 'vue'
import { defaultOfferView, type OfferView } from '#domain/offer-view.ts'
import { client } from '#ipc/client.ts'
import { usePreferencesStore } from '#ui/stores/preferences.ts'
import { useAction } from '#ui/useAction.ts'

/** How the offers are looked at: columns, pauses between refreshes, the plot. Every change is remembered. */
export function useOfferView() {
  const preferences = usePreferencesStore()
  const view = ref<OfferView>(preferences.preferences?.offerView ?? defaultOfferView)
  let isOurs = false

  const saving = useAction((next: OfferView) => client.settings.update({ offerView: next }), {
    attempt: 'save',
  })
  let isUnsaved = false
  /** At once, as the next thing may be to quit; while one is being written the newest waits its turn. */
  async function save(): Promise<void> {
    isUnsaved = true
    if (saving.pending.value) return
    while (isUnsaved) {
      isUnsaved = false
      await saving.run(view.value)
    }
  }
  /** Changes it without writing it down, for what is only a step on the way. */
  function show(part: Partial<OfferView>): void {
    isOurs = true
    view.value = { ...view.value, ...part }
  }
  function change(part: Partial<OfferView>): void {
    show(part)
    void save()
  }
  watch(
    () => preferences.preferences?.offerView,
    (kept) => {
      // What is being changed here is newer than what main has.
      if (kept && !isOurs) view.value = kept
    },
    { immediate: true },
  )

  return {
    view,
    show,
    change,
    setRefreshSeconds: (refreshSeconds: number) => change({ refreshSeconds }),
    setPlot: (part: Partial<OfferView['plot']>) => change({ plot: { ...view.value.plot, ...part } }),
  }
}
