import { type KeptTransfer, TransferStore, type TransfersFile } from './transfer-store.ts'
import { Latest } from '../../domain/base/latest.ts'
import { invalidInput } from '../../domain/base/problem.ts'
import type { ConflictChoice, Transfer, TransferOrder } from '../../domain/files/transfer.ts'
import { Canceled } from './copy-file.ts'
import { TransferTask, type TransferTaskOptions } from './transfer-task.ts'

export interface TransfersOptions extends Pick<
  TransferTaskOptions,
  'localTree' | 'sessions' | 'connect' | 'connectApart' | 'regain' | 'isConnected' | 'clock' | 'log'
> {
  readonly file: TransfersFile
  readonly randomId: () => string
}

/** Transfers that go on at the same time; the others wait. */
const atOnce = 3
/** How often progress is told. */
const tickMs = 250

/** All transfers of the account, the oldest first, also from former runs. An unknown id throws a ProblemError. */
export class Transfers {
  readonly state = new Latest<readonly Transfer[]>([])
  readonly #options: TransfersOptions
  readonly #tasks = new Map<string, TransferTask>()
  readonly #running = new Map<TransferTask, Promise<void>>()
  readonly #kept: TransferStore
  #isTicking = false
  #isEnded = false
  #keptAs = ''

  constructor(options: TransfersOptions) {
    this.#options = options
    this.#kept = new TransferStore(options.file, options.log)
  }

  /** Those that were under way when Slipway ended go on. */
  resume(): void {
    for (const kept of this.#kept.all) this.#add(kept)
    this.#advance()
  }

  /** Instances that files go to or come from now. */
  get connected(): readonly number[] {
    return this.state.value
      .filter(({ phase }) => phase.kind === 'copying')
      .map(({ order }) => order.instanceId)
  }

  /** Puts it at the end of the queue, and begins it when nothing is in its way. */
  start(order: TransferOrder): { readonly id: string } {
    const id = this.#options.randomId()
    this.#add({ id, order, choice: null, failed: null })
    this.#advance()
    return { id }
  }

  answer(id: string, choice: ConflictChoice): void {
    this.#find(id).answer(choice)
  }

  /** What is half done is removed. */
  cancel(id: string): void {
    this.#find(id).stop(new Canceled())
  }

  /** Goes on where it failed. */
  retry(id: string): void {
    const task = this.#find(id)
    if (!task.isOver) return
    task.prepareAgain()
    this.#advance()
  }

  /** Takes one that is over off the list; what is half done is removed, where it can be reached. */
  forget(id: string): void {
    const task = this.#find(id)
    if (!task.isOver) return
    this.#tasks.delete(id)
    // One that was canceled may be at it.
    if (!this.#running.has(task)) this.#keepBusy(task, task.removeParts())
    this.#publish()
  }

  /** Stops all; they go on with the next start, from where they are. */
  async dispose(): Promise<void> {
    const running = [...this.#running.values()]
    this.#isEnded = true
    const reason = new Error('the program ends')
    // One that is canceled may still be clearing up.
    for (const task of new Set([...this.#tasks.values(), ...this.#running.keys()])) task.stop(reason)
    this.#tasks.clear()
    this.#publish()
    await Promise.all([...running, this.#kept.settled()])
  }

  #add({ id, order, choice, failed }: KeptTransfer): void {
    const { localTree, sessions, connect, connectApart, regain, isConnected, clock, log } = this.#options
    const shared = { localTree, sessions, connect, connectApart, regain, isConnected, clock, log }
    const isOfAnother = (part: string): boolean =>
      [...this.#tasks.values(), ...this.#running.keys()].some(
        (other) => other !== task && other.holds(part, order),
      )
    const onChange = (): void => {
      // One that is canceled may go on clearing up for a minute, and holds up no other meanwhile.
      if (this.#running.has(task) && task.isOver) this.#advance()
      else this.#publish()
    }
    const task = new TransferTask({ ...shared, id, order, choice, failed, isOfAnother, onChange })
    this.#tasks.set(id, task)
  }

  #find(id: string): TransferTask {
    const task = this.#tasks.get(id)
    if (task) return task
    throw invalidInput('id', { code: 'not-listed' })
  }

  #advance(): void {
    for (const task of this.#tasks.values()) {
      if (this.#atWork >= atOnce) break
      if (task.value.phase.kind !== 'waiting' || this.#isInTheWay(task)) continue
      this.#keepBusy(task, task.run())
    }
    this.#publish()
    if (!this.#isTicking && this.#running.size > 0) void this.#tick()
  }

  #keepBusy(task: TransferTask, work: Promise<void>): void {
    const done = work.finally(() => {
      this.#running.delete(task)
      this.#advance()
    })
    this.#running.set(task, done)
  }

  /** Of those that run, without what only clears up, and without what waits for that to be tried again. */
  get #atWork(): number {
    return [...this.#running.keys()].filter((task) => !task.isOver && task.value.phase.kind !== 'waiting')
      .length
  }

  /**
   * Two of the same source write under the same names (part-name.ts), and one that was canceled may still be removing
   * what the other writes.
   */
  #isInTheWay({ value: { order } }: TransferTask): boolean {
    const names = new Set(order.names)
    return [...this.#running.keys()].some(
      ({ value: { order: other } }) =>
        other.instanceId === order.instanceId &&
        other.direction === order.direction &&
        other.from === order.from &&
        other.to === order.to &&
        other.names.some((name) => names.has(name)),
    )
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
    this.#keep()
  }

  /** Writes the list when something of it has changed that a later run has to know. */
  #keep(): void {
    // What is kept is taken up at the next start.
    if (this.#isEnded) return
    const kept = [...this.#tasks.values()].flatMap((task) => task.kept ?? [])
    const keptAs = kept.map(({ id, choice, failed }) => `${id} ${choice} ${failed !== null}`).join()
    if (keptAs === this.#keptAs) return
    this.#keptAs = keptAs
    this.#kept.write(kept)
  }
}
