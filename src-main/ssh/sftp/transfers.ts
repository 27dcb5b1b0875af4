import { Latest } from '../../domain/latest.ts'
import { ProblemError } from '../../domain/problem.ts'
import type { ConflictChoice, Transfer, TransferOrder } from '../../domain/transfer.ts'
import { Cancelled } from './copy-file.ts'
import { TransferTask, type TransferTaskOptions } from './transfer-task.ts'

export interface TransfersOptions extends Pick<
  TransferTaskOptions,
  'localTree' | 'connect' | 'clock' | 'log'
> {
  readonly randomId: () => string
}

/** Transfers that go on at the same time; the others wait. */
const atOnce = 3
/** How often progress is told. */
const tickMs = 250

/** All transfers, the oldest first. Those with an unknown id throw a ProblemError. */
export class Transfers {
  readonly state = new Latest<readonly Transfer[]>([])
  readonly #options: TransfersOptions
  readonly #tasks = new Map<string, TransferTask>()
  readonly #running = new Map<TransferTask, Promise<void>>()
  #isTicking = false
  #isClosed = false

  constructor(options: TransfersOptions) {
    this.#options = options
  }

  /** Instances that files go to or come from now. */
  get connected(): readonly number[] {
    return this.state.value
      .filter(({ phase }) => phase.kind === 'copying')
      .map(({ order }) => order.instanceId)
  }

  start(order: TransferOrder): { readonly id: string } {
    const { randomId, ...shared } = this.#options
    const id = randomId()
    const onChange = (): void => this.#publish()
    this.#tasks.set(id, new TransferTask({ ...shared, id, order, onChange }))
    this.#advance()
    return { id }
  }

  answer(id: string, choice: ConflictChoice): void {
    this.#find(id).answer(choice)
  }

  /** What is half done is removed. */
  cancel(id: string): void {
    this.#find(id).stop(new Cancelled())
  }

  /** Goes on where it failed. */
  retry(id: string): void {
    const task = this.#find(id)
    if (!task.isOver) return
    task.prepareAgain()
    this.#advance()
  }

  /** Takes one that is over off the list. */
  forget(id: string): void {
    if (!this.#find(id).isOver) return
    this.#tasks.delete(id)
    this.#publish()
  }

  /** Stops all; what is half done is kept for a later try. */
  async dispose(): Promise<void> {
    this.#isClosed = true
    for (const task of this.#tasks.values()) if (!task.isOver) task.stop(new Error('Slipway ends'))
    await Promise.all(this.#running.values())
  }

  #find(id: string): TransferTask {
    const task = this.#tasks.get(id)
    if (task) return task
    throw new ProblemError({ kind: 'invalid-input', field: 'id', message: 'This transfer is not listed.' })
  }

  #advance(): void {
    for (const task of this.#tasks.values()) {
      if (this.#isClosed || this.#running.size >= atOnce) break
      if (task.value.phase.kind !== 'waiting' || this.#running.has(task)) continue
      const run = task.run().finally(() => {
        this.#running.delete(task)
        this.#advance()
      })
      this.#running.set(task, run)
    }
    this.#publish()
    if (!this.#isTicking && this.#running.size > 0) void this.#tick()
  }

  async #tick(): Promise<void> {
    this.#isTicking = true
    while (this.#running.size > 0) {
      await this.#options.clock.sleep(tickMs)
      for (const task of this.#running.keys()) task.tick()
      this.#publish()
    }
    this.#isTicking = false
  }

  #publish(): void {
    this.state.set([...this.#tasks.values()].map((task) => task.value))
  }
}
