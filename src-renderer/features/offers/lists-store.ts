import { useToast } from '@nuxt/ui/composables/useToast'
import { defineStore } from 'pinia'
import { computed } from 'vue'
import { fieldOf, knownText } from '#domain/fields/field-format.ts'
import { emptyOfferLists, type OfferLists, type SavedSearch } from '#domain/offers/offer-lists.ts'
import { markFinder, targetsOf, type MarkTarget } from '#domain/offers/offer-mark.ts'
import type { Offer, OfferQuery } from '#domain/offers/offer.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'
import { useAction } from '#ui/use-action.ts'
import { targetName } from './mark-text.ts'
import { offerTitle } from './offer-title.ts'

/** What the user saves about offers: favorites, blocked machines and hosts, saved searches. */
export const useOfferListsStore = defineStore('offer-lists', () => {
  const toast = useToast()
  const { latest } = useWatch(client.offers.watchLists)
  const lists = computed<OfferLists>(() => latest.value ?? emptyOfferLists)
  const favoriteOf = computed(() => markFinder(lists.value.favorites))
  const blockOf = computed(() => markFinder(lists.value.blocked))

  /**
   * Whoever goes down the table marks the next row while the last one is being saved. What a press does is seen in its
   * turn: the second one on the same star takes the mark away again.
   */
  const marking = useAction((change: () => Promise<void>) => change(), { attempt: 'save', inTurn: true })
  const saving = useAction(
    (search: { readonly id: string | null; readonly name: string; readonly query: OfferQuery }) =>
      client.offers.saveSearch(search),
    { attempt: 'save', inTurn: true },
  )
  const forgetting = useAction((id: string) => client.offers.removeSearch({ id }), {
    attempt: 'save',
    inTurn: true,
  })

  async function toggleFavorite(offer: Offer): Promise<void> {
    await marking.run(() => {
      const mark = favoriteOf.value(offer)
      if (mark) return client.offers.removeFavorite(mark)
      return client.offers.addFavorite({ ...targetsOf(offer).machine, title: titleOf(offer) })
    })
  }

  async function block(offer: Offer, target: MarkTarget): Promise<void> {
    if (!(await marking.run(() => client.offers.block({ ...target, title: titleOf(offer) })))) return
    toast.add({
      title: `${targetName(target)} blocked`,
      description: 'Slipway hides its offers, and auto-retry skips them.',
      icon: 'i-lucide-ban',
      actions: [{ label: 'Undo', onClick: () => void unblock(target) }],
    })
  }

  function unblock(target: MarkTarget): Promise<boolean> {
    return marking.run(() => client.offers.unblock(target))
  }

  async function removeSearch(search: SavedSearch): Promise<void> {
    if (!(await forgetting.run(search.id))) return
    toast.add({
      title: `Search “${search.name}” deleted`,
      icon: 'i-lucide-trash-2',
      actions: [{ label: 'Undo', onClick: () => void saving.run(search) }],
    })
  }

  return {
    lists,
    favoriteOf,
    blockOf,
    toggleFavorite,
    removeFavorite: (target: MarkTarget) => marking.run(() => client.offers.removeFavorite(target)),
    block,
    unblock,
    saveSearch: saving.run,
    isSaving: saving.pending,
    removeSearch,
  }
})

function titleOf(offer: Offer): string {
  const where = knownText(fieldOf(offer, 'geolocation'))
  return (where === null ? offerTitle(offer) : `${offerTitle(offer)}, ${where}`).slice(0, 200)
}
