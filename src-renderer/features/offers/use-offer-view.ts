import { defaultOfferView, type OfferView } from '#domain/offers/offer-view.ts'
import { usePreferencesStore } from '#shared/settings/preferences-store.ts'
import { useKeptView } from '#ui/use-kept-view.ts'

/** How the offers are looked at: columns, pauses between refreshes, the plot. Every change is remembered. */
export function useOfferView() {
  const preferences = usePreferencesStore()
  const { view, show, change } = useKeptView<OfferView>({
    kept: () => preferences.preferences?.offerView,
    initial: defaultOfferView,
    change: (offerView) => ({ offerView }),
  })
  return {
    view,
    show,
    change,
    setRefreshSeconds: (refreshSeconds: number) => change({ refreshSeconds }),
    setPlot: (part: Partial<OfferView['plot']>) => change({ plot: { ...view.value.plot, ...part } }),
  }
}
