import { computed, ref, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { contentOf } from '#domain/templates/template-content.ts'
import type { Template } from '#domain/templates/template.ts'
import { client } from '#ipc/client.ts'
import { useAction } from '#ui/use-action.ts'
import { useOffersStore } from '../offers-store.ts'
import { useTemplateStore } from './template-store.ts'

type Use = 'rent-with' | 'filters-of'

/**
 * What the page of templates sends here: `/offers?rent-with=<id>` to choose a machine for a template,
 * `/offers?filters-of=<id>` to search for the machines that it asks for. Both are ids as the service counts them.
 */
export function useHandedOver() {
  const route = useRoute()
  const router = useRouter()
  const offers = useOffersStore()
  const rent = useTemplateStore()

  /** The template that was sent here to be rented with. */
  const handedId = ref<number | null>(null)
  const isMissing = ref(false)

  const taking = useAction(
    async (use: Use, id: number) => {
      const template = await client.templates.find({ id })
      isMissing.value = template === null
      if (template === null) return
      if (use === 'filters-of') await searchFor(template)
      else {
        rent.template = template
        handedId.value = id
      }
    },
    { attempt: 'load', failure: 'in-place', inTurn: true },
  )

  /** What most people want of a machine, and over it what the template wants; Ctrl+Z brings the former search back. */
  async function searchFor(template: Template): Promise<void> {
    const filters = { ...defaultOfferQuery.filters, ...contentOf(template).extra_filters }
    offers.load({ ...defaultOfferQuery, filters })
    await offers.search()
  }

  watch(
    () => route.query,
    async (query) => {
      const use = (['rent-with', 'filters-of'] as const).find((one) => typeof query[one] === 'string')
      if (use === undefined || route.path !== '/offers') return
      const id = Number(query[use])
      // Taken once: going back here must not do it again.
      await router.replace({ path: '/offers' })
      if (Number.isSafeInteger(id)) await taking.run(use, id)
    },
    { immediate: true },
  )

  return {
    /** The template that the chosen machine is rented with, as long as nothing else was chosen in the sheet. */
    handed: computed(() => (rent.template?.id === handedId.value ? rent.template : null)),
    isMissing,
    problem: taking.problem,
    searchFor,
    drop: () => {
      rent.template = null
      handedId.value = null
    },
  }
}
