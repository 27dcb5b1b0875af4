import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import { fieldOf, knownRate, knownText } from '#domain/fields/field-format.ts'
import { outlookOf } from '#domain/instances/instance-status.ts'
import { perHourCost } from '#domain/money/total-cost.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import type { KnownRequest } from '#domain/renting/rent-request.ts'
import { typedNumber } from '#domain/renting/typed-number.ts'
import { client } from '#ipc/client.ts'
import { useInstancesStore } from '#shared/instances/instances-store.ts'
import { similarSearch } from '#shared/offers/similar-search.ts'
import { retryPlanText } from '#shared/renting/renting-text.ts'
import { formatNumber, formatUsdPerHour, unknown } from '#ui/format.ts'
import { useAction } from '#ui/use-action.ts'
import { offerSentence } from '../offer-sentence.ts'
import { offerTitle } from '../offer-title.ts'
import { useOffersStore } from '../offers-store.ts'
import { offersText } from '../offers-text.ts'
import { useEnvironmentStore } from '../rent/environment-store.ts'
import { useRentStore } from '../rent/rent-store.ts'
import { useRetryStore } from '../rent/retry-store.ts'
import { useVolumeStore } from '../rent/volume-store.ts'
import { keepDrafts } from './keep-drafts.ts'

/** What takes the place of an instance that never runs: the search, the limits, and the request. */
export function useReplacement(instanceId: number) {
  const instances = useInstancesStore()
  const offers = useOffersStore()
  const rent = useRentStore()
  const retry = useRetryStore()
  const environment = useEnvironmentStore()
  const volume = useVolumeStore()

  const instance = computed(() => instances.instances?.find(({ id }) => id === instanceId) ?? null)
  const isDead = computed(() => instance.value !== null && outlookOf(instance.value).kind === 'dead-end')
  /** What this computer rented it with; `null` when it hasn't kept that. */
  const known = shallowRef<KnownRequest | null>(null)
  /** The request is that of the form. */
  const isNew = ref(false)

  const putDraftsBack = keepDrafts()
  retry.cap = ''
  let isLeft = false
  onScopeDispose(() => {
    isLeft = true
    putDraftsBack()
  })

  /** Before the first list, nothing is known of the instance. */
  const listed = new Promise<void>((resolve) => {
    watch(
      () => instances.instances !== null,
      (isListed) => {
        if (isListed) resolve()
      },
      { immediate: true },
    )
  })
  const loading = useAction(
    async () => {
      await listed
      known.value = await client.renting.retries.requestOf({ instanceId })
    },
    { attempt: 'load', failure: 'in-place' },
  )
  /** What could not be read is asked for. */
  async function begin(): Promise<void> {
    await loading.run()
    if (isLeft) return
    isNew.value = known.value === null
    if (retry.cap.trim() === '') retry.cap = known.value?.capPerHourUsd?.toString() ?? ''
    offers.load(known.value?.query ?? similarSearch(instance.value?.record ?? {}))
    await offers.search()
  }
  void begin()

  watch(isNew, (isOn) => {
    if (isOn) fillIn()
  })
  /** What was typed for another machine doesn't go along. */
  function fillIn(): void {
    const record = instance.value?.record ?? {}
    rent.template = null
    rent.image = known.value?.image ?? knownText(fieldOf(record, 'image_uuid')) ?? ''
    const wantedGb = known.value?.diskGb ?? knownRate(record, 'disk_space')
    if (wantedGb !== null) rent.disk = String(wantedGb)
    rent.ownScript = null
    rent.typedFilters = ''
    environment.setRows([])
    environment.setFlags('')
    volume.kind = 'none'
  }

  const capPerHourUsd = computed(() => typedNumber(retry.cap))
  const plan = computed(() => retry.planWithin(capPerHourUsd.value))
  const diskGb = computed(() => (isNew.value ? rent.diskGb : (known.value?.diskGb ?? null)))
  /** What would be rented as it stands; which offer it is, main decides when the time has come. */
  const firstText = computed(() => {
    if (offers.isSearching || offers.found === null) return offersText.searching
    const cap = capPerHourUsd.value
    const machineId = fieldOf(instance.value?.record ?? {}, 'machine_id')
    const first = offers.found.offers.find((offer) => {
      const usd = perHourCost(offer, diskGb.value)?.usd
      const isOther = machineId === undefined || fieldOf(offer, 'machine_id') !== machineId
      const isWithin = cap === null || (usd !== undefined && usd <= cap)
      return isOther && isWithin && !offers.blocked.has(offer.id) && !offers.isGone(offer)
    })
    if (first === undefined) return 'No offers of this search are within the limits right now.'
    return `First offer now: ${offerTitle(first)}, ${formatUsdPerHour(perHourCost(first, diskGb.value)?.usd)} (offer ${first.id}).`
  })

  const replacing = useAction(
    async () => {
      if (plan.value === null || offers.found === null) return
      const options = isNew.value ? rent.options : null
      if (isNew.value && options === null) return
      await client.renting.retries.replace({
        instanceId,
        options,
        query: offers.found.query,
        plan: plan.value,
      })
    },
    { attempt: 'save', failure: 'in-place' },
  )

  return {
    instance,
    isDead,
    known,
    isNew,
    capError: computed(() => (retry.cap.trim() === '' ? retryPlanText.noCap : (retry.errors.cap ?? false))),
    capHelp: retryPlanText.cap,
    facts: computed(() => (known.value === null ? [] : factsOf(known.value))),
    sentence: computed(() => offerSentence(offers.found?.query ?? defaultOfferQuery)),
    firstText,
    isIncomplete: computed(
      () =>
        plan.value === null ||
        offers.found === null ||
        offers.isSearching ||
        loading.pending.value ||
        (isNew.value && rent.options === null),
    ),
    loading,
    /** This computer certainly hasn't kept the request. */
    isUnkept: computed(
      () => known.value === null && !loading.pending.value && loading.problem.value === null,
    ),
    begin,
    replacing,
    retry,
    run: () => replacing.run(),
  }
}

function factsOf(request: KnownRequest) {
  const { image, templateHashId, diskGb, env, hasScript, mountPath } = request
  return [
    { key: 'image', name: 'Image', value: image ?? 'the template’s', mono: image !== null },
    { key: 'template', name: 'Template', value: templateHashId ?? 'none', mono: templateHashId !== null },
    { key: 'disk', name: 'Disk', value: diskGb === null ? unknown : `${formatNumber(diskGb)} GB` },
    { key: 'env', name: 'Variables and ports', value: env.join(', ') || 'none', mono: env.length > 0 },
    { key: 'script', name: 'Start script', value: hasScript ? 'same as before' : 'none' },
    { key: 'volume', name: 'Volume', value: mountPath ?? 'none', mono: mountPath !== null },
  ]
}
