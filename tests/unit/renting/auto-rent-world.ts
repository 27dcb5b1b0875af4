import { onTestFinished } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import type { WatchedOffers } from '#domain/offers/offer-watch.ts'
import { defaultOfferQuery, type OfferQuery } from '#domain/offers/offer.ts'
import type { AutoRentPlan, MoneyObstacle } from '#domain/renting/auto-rent.ts'
import { InstanceWatch } from '#services/instances/watch.ts'
import { AutoRent } from '#services/renting/auto-rent.ts'
import type { AutoRentEntry } from '#services/renting/auto-rent-journal.ts'
import type { RentalEntry } from '#services/renting/rental-journal.ts'
import { Renting } from '#services/renting/renting.ts'
import { settle } from '../../support/fake-clock.ts'
import { memoryJournal } from '../../support/memory-journal.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { wholeList } from '../../support/whole-list.ts'
import { body, FakeService, type Faults } from './retry-world.ts'

const never = <T>(): Promise<T> => new Promise(() => undefined)

/** A watched search that is looked at once a minute, and rents automatically. `run()` again is a restart. */
export function autoRentWorld() {
  const service = new FakeService()
  const { clock } = service
  const rentals = memoryJournal<RentalEntry>()
  const entries = memoryJournal<AutoRentEntry>()
  const told: string[] = []
  const texts: string[] = []
  const state = {
    query: defaultOfferQuery as OfferQuery | null,
    /** At a price, besides what no list shows yet, in $/h. */
    obstacle: (_: number, _unlistedUsd: number): MoneyObstacle | null => null,
    isRetrying: false,
    sealedIsLost: false,
    /** How long an instance is there before it's listed, in ms. */
    listedAfterMs: 0,
    /** Of the search, when it is looked at; `null`: never. */
    lookedFor: defaultOfferQuery as OfferQuery | null,
    beforeRent: (): Promise<void> => Promise.resolve(),
    beforeUnseal: (): Promise<void> => Promise.resolve(),
  }
  let ids = 0

  function listed() {
    const hidden = service.machines.filter(({ at }) => clock.now() - at < state.listedAfterMs)
    return service.list().filter(({ id }) => hidden.every((one) => one.id !== id))
  }

  async function run(faults: Faults = () => 'go') {
    let isAlive = true
    const end = new AbortController()
    const step = async <T>(what: string, work: () => T | Promise<T>): Promise<T> => {
      if (!isAlive) return never()
      const before = faults(what, 'before')
      if (before === 'crash') isAlive = false
      if (!isAlive) return never()
      if (typeof before === 'object') throw new ProblemError(before)
      const result = await work()
      const after = faults(what, 'after')
      if (after === 'crash') isAlive = false
      if (!isAlive) return never()
      if (typeof after === 'object') throw new ProblemError(after)
      return result
    }
    const journaled = <T extends { kind: string }>(
      name: string,
      journal: ReturnType<typeof memoryJournal<T>>,
    ) => ({
      readAll: journal.readAll,
      append: (...added: readonly T[]) =>
        step(`${name} ${added.at(-1)?.kind}`, () => journal.append(...added)),
      compact: journal.compact,
    })
    const log = memoryLog()
    const randomId = () => `id-${++ids}`
    const watch = new InstanceWatch({
      list: () => step('list', () => wholeList(listed())),
      ...{ clock, random: () => 0, log },
    })
    const looks = new Latest<ReadonlyMap<string, WatchedOffers>>(new Map())
    const renting = new Renting({
      create: (offerId) => step('create', () => ({ instanceId: service.create(offerId), instanceKey: null })),
      watch,
      journal: journaled('rental', rentals),
      onRented: () => Promise.resolve(),
      ...{ clock, randomId, log },
    })
    const autoRent = new AutoRent({
      watched: { looks, searchFor: () => state.query && { query: state.query, name: 'Cheap' } },
      watch,
      rent: async (offerId, rentBody, rentalId, mayGo) => {
        await state.beforeRent()
        return renting.rent(offerId, rentBody, rentalId, mayGo)
      },
      fateOf: (rentalId) => renting.fateOf(rentalId),
      isBlocked: () => false,
      journal: journaled('auto', entries),
      seal: async (text) => text,
      unseal: async (text) => {
        await state.beforeUnseal()
        return state.sealedIsLost ? null : text
      },
      keepOrder: () => Promise.resolve(),
      moneyObstacle: (usd, unlistedUsd) => state.obstacle(usd, unlistedUsd),
      isRetrying: () => state.isRetrying,
      notify: ({ title, body: text }) => {
        told.push(title)
        texts.push(text)
      },
      ...{ clock, randomId, log },
    })
    async function look(): Promise<void> {
      while (isAlive) {
        const query = state.lookedFor
        if (query !== null) looks.set(new Map([['s', { query, at: clock.now(), offers: service.search() }]]))
        await clock.sleep(60_000, end.signal).catch(() => undefined)
      }
    }
    async function start(): Promise<void> {
      await autoRent.open()
      await renting.resume(autoRent.holds)
      for (const one of [renting, autoRent]) void one.follow(end.signal)
      watch.start()
      void look()
    }
    await start()
    await settle()
    const quit = (): void => {
      isAlive = false
      end.abort()
      watch.stop()
    }
    onTestFinished(quit)
    return {
      autoRent,
      log,
      begin: (plan: Partial<AutoRentPlan> = {}) =>
        autoRent.begin({
          ...{ searchId: 's', query: state.query ?? defaultOfferQuery, body },
          plan: { instances: 3, capPerHourUsd: 0.5, ...plan },
        }),
      view: () => autoRent.state.value.at(-1),
      isAlive: () => isAlive,
      quit,
    }
  }
  const problem = (kind: 'reset' | 'limited' | 'key' | 'gone'): Problem => {
    switch (kind) {
      case 'reset':
        return { kind: 'unreachable', cause: 'reset', origin: '' }
      case 'limited':
        return { kind: 'rate-limited', retryAfterSeconds: 90, message: '' }
      case 'key':
        return { kind: 'key-refused', message: '' }
      case 'gone':
        return { kind: 'refused', status: 400, code: 'no_such_ask', message: '' }
    }
  }
  return { service, clock, state, told, texts, entries, rentals, problem, run }
}
