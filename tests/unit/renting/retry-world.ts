import type { RetryPlan, RetryStep } from '#domain/renting/retry.ts'
import type { InstanceRecord } from '#domain/instances/instance.ts'
import { defaultOfferQuery, type Offer } from '#domain/offers/offer.ts'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import type { ActionEntry } from '#services/instances/action-journal.ts'
import { createInstanceActions } from '#services/instances/actions.ts'
import type { RetryEntry } from '#services/renting/retry-journal.ts'
import { Retries } from '#services/renting/retries.ts'
import type { RetryServices } from '#services/renting/retry-services.ts'
import type { RentalEntry } from '#services/renting/rental-journal.ts'
import { Renting } from '#services/renting/renting.ts'
import { InstanceWatch, type InstanceWatchOptions } from '#services/instances/watch.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryJournal } from '../../support/memory-journal.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { wholeList } from '../../support/whole-list.ts'

export const plan: RetryPlan = {
  machines: 3,
  capPerHourUsd: 1,
  bootMinutes: 10,
  giveUpAfterMinutes: 120,
}

export const body = { image: 'pytorch', disk: 8 }

const never = <T>(): Promise<T> => new Promise(() => undefined)

/** A rental service whose machines meet their fates one minute after they were rented. */
export class FakeService {
  readonly clock = new FakeClock()
  readonly journal: string[] = []
  readonly offers: Offer[] = [1, 2, 3, 4, 5].map((id) => ({
    id,
    machine_id: id * 10,
    dph_total: 0.3,
    storage_cost: 0,
    gpu_name: 'RTX 4090',
  }))
  readonly machines: { id: number; status: string | null; offerId: number; at: number }[] = []
  /** Of the machines in the order of their rental; `null` never gets on. */
  fates: (string | null)[] = []
  /** The most machines that were there at once. */
  most = 0
  #next = 100

  create(offerId: number): number {
    const id = this.#next++
    this.journal.push(`rent ${offerId}`)
    this.machines.push({ id, status: null, offerId, at: this.clock.now() })
    this.most = Math.max(this.most, this.machines.length)
    return id
  }

  destroy(id: number): void {
    this.journal.push(`destroy ${id}`)
    const index = this.machines.findIndex((machine) => machine.id === id)
    if (index < 0) throw new ProblemError({ kind: 'refused', status: 404, code: 'gone', message: '' })
    this.machines.splice(index, 1)
  }

  list(): InstanceRecord[] {
    for (const machine of this.machines)
      if (this.clock.now() - machine.at >= 60_000) machine.status = this.fates[machine.id - 100] ?? null
    return this.machines.map(({ id, status, offerId }) => ({
      id,
      actual_status: status,
      machine_id: offerId * 10,
    }))
  }

  search(): Offer[] {
    return this.offers.filter(({ id }) => !this.machines.some(({ offerId }) => offerId === id))
  }
}

/** What a run does to the outside, each of which may be the last thing it does. */
export type Faults = (what: string, when: 'before' | 'after') => 'go' | 'crash' | Problem

/** Slipway on a fake service. `run()` again on the same world is a restart. */
export function retryWorld() {
  const service = new FakeService()
  const rentals = memoryJournal<RentalEntry>()
  const retryEntries = memoryJournal<RetryEntry>()
  const actionEntries = memoryJournal<ActionEntry>()
  let ids = 0

  async function run(
    faults: Faults = () => 'go',
    {
      unseal = async (text: string): Promise<string | null> => text,
      ...pace
    }: Pick<InstanceWatchOptions, 'restingPauseMs'> & { readonly unseal?: RetryServices['unseal'] } = {},
  ) {
    let isAlive = true
    const end = new AbortController()
    const { clock } = service
    const step = async <T>(what: string, work: () => T | Promise<T>): Promise<T> => {
      if (!isAlive) return never()
      for (const when of ['before', 'after'] as const) {
        const fault = faults(what, when)
        if (fault === 'go') {
          if (when === 'before') continue
        } else if (fault === 'crash') {
          if (when === 'after') await work()
          isAlive = false
          return never()
        } else {
          if (when === 'after') await work()
          throw new ProblemError(fault)
        }
      }
      return work()
    }
    const journaled = <T extends { kind: string }>(
      name: string,
      journal: ReturnType<typeof memoryJournal<T>>,
    ) => ({
      readAll: journal.readAll,
      append: (entry: T) => step(`${name} ${entry.kind}`, () => journal.append(entry)),
      compact: journal.compact,
    })
    const watch = new InstanceWatch({
      list: () => step('list', () => wholeList(service.list())),
      ...pace,
      clock,
      random: () => 0,
      log: memoryLog(),
    })
    const log = memoryLog()
    const randomId = () => `id-${++ids}`
    // Two ways to use an id: as the auto-retry's, and as its rental's.
    const retries: Retries = new Retries({
      watch,
      search: () => step('search', () => service.search()),
      rent: (offerId, rentalBody, rentalId) => renting.rent(offerId, rentalBody, rentalId),
      fateOf: (rentalId) => renting.fateOf(rentalId),
      destroy: (id) => actions.destroy(id),
      isBlocked: () => false,
      seal: async (text) => text,
      unseal,
      journal: journaled('chain', retryEntries),
      randomId,
      clock,
      log,
      onEnded: () => undefined,
    })
    const renting = new Renting({
      create: (offerId) => step('create', () => ({ instanceId: service.create(offerId), instanceKey: null })),
      watch,
      journal: journaled('rental', rentals),
      onRented: () => Promise.resolve(),
      clock,
      randomId,
      log,
    })
    const actions = createInstanceActions({
      stop: never,
      destroy: (id) => step('destroy', () => service.destroy(id)),
      watch,
      journal: journaled('action', actionEntries),
      clock,
      log,
    })
    async function start(): Promise<void> {
      await retries.open()
      await renting.resume(retries.holds)
      await actions.open()
      for (const one of [renting, actions, retries]) void one.follow(end.signal)
      watch.start()
    }
    // Not awaited: a run that is killed while it starts never gets there.
    void start()
    await settle()
    const begin = (of: Partial<RetryPlan> = {}) =>
      retries.begin({
        offer: service.offers[0] ?? { id: 1 },
        body,
        query: defaultOfferQuery,
        plan: { ...plan, ...of },
      })
    const replace = (instanceId: number, of: Partial<RetryPlan> = {}) =>
      retries.replace({ instanceId, body, query: defaultOfferQuery, plan: { ...plan, ...of } })
    const steps = (): RetryStep[] => retries.state.value.at(-1)?.steps.map(({ step: one }) => one) ?? []
    return {
      retries,
      actions,
      renting,
      watch,
      begin,
      replace,
      steps,
      log,
      isAlive: () => isAlive,
      quit: () => {
        isAlive = false
        end.abort()
        watch.stop()
      },
    }
  }
  return { service, clock: service.clock, rentals, retryEntries, run }
}
