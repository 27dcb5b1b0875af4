import {
  chainStep,
  phaseOf,
  type ChainPlan,
  type ChainStep,
  type ChainView,
} from '../../domain/renting/chain.ts'
import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { isWithinCap, triedOfferOf } from './next-offer.ts'
import type { Offer, OfferQuery } from '../../domain/offers/offer.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import type { RentBody } from '../../domain/renting/rent-body.ts'
import { Turns } from '../../domain/base/turns.ts'
import type { Journal } from '../storage/journal.ts'
import { chainsOf, withStep, type Chain, type ChainEntry } from './chain-journal.ts'
import { ChainRun, type ChainServices } from './chain-run.ts'
import { ticks } from '../instances/ticks.ts'

export interface ChainsOptions extends ChainServices {
  readonly journal: Journal<ChainEntry>
  readonly seal: (text: string) => Promise<string>
  readonly randomId: () => string
  readonly clock: Clock
  readonly log: Log
  /** Told when a chain comes to its end. */
  readonly onEnded: (chain: ChainView) => void
}

export interface ChainOrder {
  readonly offer: Offer
  readonly body: RentBody
  /** Finds the next offers. */
  readonly query: OfferQuery
  readonly plan: ChainPlan
}

const tickMs = 5_000

/**
 * "Try until it runs". Each chain is a journal of steps; where it stands follows from them, in this run and in
 * the next. Never two machines of one chain cost money at once: a step that rents comes only after the list has
 * shown, twice, that the machine before is gone.
 */
export class Chains {
  readonly state = new Latest<readonly ChainView[]>([])
  readonly #options: ChainsOptions
  readonly #turns = new Turns()
  #chains = new Map<string, Chain>()
  #run: ChainRun | null = null

  constructor(options: ChainsOptions) {
    this.#options = options
  }

  /** Reads the journal; before anything else is taken up, so that no rental of a chain is forgotten. @throws ProblemError storage-failed */
  async open(): Promise<void> {
    const { journal } = this.#options
    this.#chains = chainsOf(await journal.readAll())
    await journal.compact(({ id }) => this.#chains.has(id))
    const open = [...this.#chains.values()].find(({ steps }) => phaseOf(steps).kind !== 'ended')
    if (open) {
      this.#take(open)
      await this.#note(open.id, { kind: 'resumed' })
    }
    this.#publish()
  }

  /** Whether a chain still asks for the fate of this rental. */
  readonly holds = (rentalId: string): boolean =>
    [...this.#chains.values()].some(({ steps }) =>
      steps.some(({ step }) => step.kind === 'trying' && step.rentalId === rentalId),
    )

  /** Whether a chain is seeing to this instance, so that nobody else needs to. */
  readonly seesTo = (instanceId: number): boolean => {
    const phase = this.#run === null ? null : phaseOf(this.#run.chain.steps)
    return (phase?.kind === 'booting' || phase?.kind === 'removing') && phase.instanceId === instanceId
  }

  /** Whether one goes on. */
  get isTrying(): boolean {
    return this.#run !== null
  }

  /** @throws ProblemError invalid-input, storage-failed, keychain-locked: nothing was begun then */
  begin({ offer, body, query, plan }: ChainOrder): Promise<void> {
    return this.#turns.take(async () => {
      const { journal, seal, randomId, clock } = this.#options
      if (this.#run !== null) throw refusal('Slipway is already trying to get a machine to run.')
      const diskGb = body.disk ?? null
      if (!isWithinCap(offer, plan, diskGb)) throw refusal('This offer costs more than the highest price.')
      if (body.volume_info?.create_new === true)
        throw refusal('A new volume is made on one machine, and would be charged on each one that is tried.')
      const entry: ChainEntry = {
        kind: 'begun',
        id: randomId(),
        at: clock.now(),
        plan,
        query,
        first: triedOfferOf(offer, diskGb),
        sealedBody: await seal(JSON.stringify(body)),
      }
      await journal.append(entry)
      const chain = chainsOf([entry]).get(entry.id)
      if (chain === undefined) return
      this.#chains.set(chain.id, chain)
      this.#take(chain)
      this.#publish()
      void this.#advance()
    })
  }

  /** Rents nothing more. A machine that is there is kept, or destroyed. @throws ProblemError storage-failed */
  async stop(id: string, machine: 'keep' | 'destroy'): Promise<void> {
    const chain = this.#chains.get(id)
    if (chain === undefined || phaseOf(chain.steps).kind === 'ended') return
    await this.#append(id, { kind: 'stopping', machine })
    void this.#advance()
  }

  /** Takes one that has ended out of sight. @throws ProblemError storage-failed */
  async dismiss(id: string): Promise<void> {
    const chain = this.#chains.get(id)
    if (chain === undefined || phaseOf(chain.steps).kind !== 'ended') return
    await this.#options.journal.append({ kind: 'dismissed', id, at: this.#options.clock.now() })
    this.#chains.delete(id)
    this.#publish()
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { clock, watch } = this.#options
    for await (const _ of ticks(watch.snapshot, { clock, everyMs: tickMs, signal })) await this.#advance()
  }

  #advance(): Promise<void> {
    return this.#turns.take(async () => {
      const run = this.#run
      if (run === null) return
      try {
        while (this.#run === run && (await run.advance()));
      } catch (error) {
        this.#options.log.error('A step of a chain failed; it is tried again', error)
      }
    })
  }

  #take(chain: Chain): void {
    const { id } = chain
    const { clock, log } = this.#options
    this.#run = new ChainRun({
      ...this.#options,
      chain: () => this.#chains.get(id) ?? chain,
      // Written before anything is done because of it.
      write: (step) => this.#append(id, step),
      // What has happened is true, also when it cannot be written: the list tells it again to the next run.
      note: (step) => this.#note(id, step),
      clock,
      log,
    })
  }

  async #append(id: string, step: ChainStep): Promise<void> {
    const at = this.#options.clock.now()
    await this.#options.journal.append({ kind: 'step', id, at, step: chainStep.parse(step) })
    this.#apply(id, step, at)
  }

  async #note(id: string, step: ChainStep): Promise<void> {
    try {
      await this.#append(id, step)
    } catch (error) {
      this.#options.log.error('The journal of chains could not be written', error)
      this.#apply(id, step, this.#options.clock.now())
    }
  }

  #apply(id: string, step: ChainStep, at: number): void {
    const chain = this.#chains.get(id)
    if (chain === undefined) return
    const next = withStep(chain, { at, step })
    this.#chains.set(id, next)
    this.#publish()
    if (step.kind !== 'ended') return
    if (this.#run?.chain.id === id) this.#run = null
    this.#options.onEnded(viewOf(next))
  }

  #publish(): void {
    this.state.set([...this.#chains.values()].map(viewOf))
  }
}

function viewOf({ id, begunAt, plan, steps }: Chain): ChainView {
  return { id, begunAt, plan, steps }
}

function refusal(message: string): ProblemError {
  return new ProblemError({ kind: 'invalid-input', field: 'plan', message })
}
