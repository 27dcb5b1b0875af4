import { expect, onTestFinished, test } from 'vitest'
import { wholeLists } from '#contract/instances-changes.ts'
import type { OfferQuery } from '#domain/offers/offer.ts'
import { firstOf } from '../accounts/program.ts'
import { startKillScene } from '../whole/kill-scene.ts'
import type { Client } from '../whole/main-program.ts'
import { rentRequestFor } from '../whole/requests.ts'

// Main is killed by the system while a watched search rents automatically, and begins again on what it left.

const query: OfferQuery = {
  ...{ filters: { rentable: { eq: true } }, type: 'on-demand', limit: 10 },
  order: [['dlperf_per_dphtotal', 'desc']],
}
const rental = 'PUT /api/v0/asks/'

const untilComplete = (page: Client) =>
  firstOf(page.renting.autoRent.watch, (all) => all.at(-1)?.outcome?.kind === 'complete')

test(
  'killed as a request leaves, which counts, and again as its reply comes: never more instances than agreed',
  // It waits a minute and a half for the first rental to be listed.
  { timeout: 300_000 },
  async () => {
    const scene = await startKillScene()
    onTestFinished(() => scene.close())
    const { service, start } = scene
    const { key } = service.account('default')
    const rentals = () =>
      service.journal().filter(({ method, path }) => `${method} ${path}`.startsWith(rental))
    let main = await start()
    const first = main.page()
    await first.accounts.connect({ serviceAddress: service.baseUrl, apiKey: key, keepIn: 'keychain' })
    const { id: searchId } = await main.page().offers.saveSearch({ id: null, name: 'All', query })
    await main.page().offers.watches.set({ searchId, tellUsd: null })
    const order = { options: rentRequestFor(0).options, plan: { instances: 3, capPerHourUsd: 1 } }
    const begin = async (): Promise<void> => {
      const page = main.page()
      await page.renting.autoRent.begin({ searchId, query, ...order })
      await untilComplete(page)
    }

    await scene.killAt(main, begin, [`send ${rental}`])
    expect(rentals()).toHaveLength(0)
    // Later than a rental takes to be listed, and than the next look.
    await service.clock.advance(120)
    main = await start()
    await scene.killAt(main, () => untilComplete(main.page()), [`answered ${rental}`])
    expect(rentals()).toHaveLength(1)
    await service.clock.advance(120)
    main = await start()
    const page = main.page()
    const view = (await untilComplete(page)).at(-1)
    const { instances } = await firstOf(
      wholeLists(page.instances.watch),
      (list) => list.instances?.length === 2,
    )
    // Nobody can tell that the first request didn't get there.
    expect(rentals()).toHaveLength(2)
    expect(view?.instanceIds.toSorted()).toEqual(instances?.map(({ id }) => id).toSorted())
  },
)
