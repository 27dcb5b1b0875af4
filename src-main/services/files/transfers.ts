import { type KeptTransfer, TransferStore, type TransfersFile } from './transfer-store.ts'
import { Latest } from '../../domain/base/latest.ts'
import { invalidInput } from '../../domain/base/problem.ts'
import {
  instancesOf,
  isQueued,
  isSamePlace,
  queueOf,
  type ConflictChoice,
  type Transfer,
  type TransferOrder,
} from '../../domain/files/transfer.ts'
import { Canceled } from './copy-file.ts'
import { TransferTask, type TransferTaskOptions } from './transfer-task.ts'

export interface TransfersOptions extends Pick<
  TransferTaskOptions,
  | 'localTree'
  | 'sessions'
  | 'connect'
  | 'connectApart'
  | 'regain'
  | 'isConnected'
  | 'clock'
  | 'log'
  | 'notify'
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
    for (const kept of this.#kept.all) this.#add(kept, true)
    this.#advance()
  }

  /** Instances that files go to or come from now. */
  get connected(): readonly number[] {
    return this.state.value
      .filter(({ phase }) => phase.kind === 'copying')
      .flatMap(({ order }) => instancesOf(order))
  }

  /** Puts it at the end of the queue, and begins it when nothing is in its way. */
  start(order: TransferOrder): { readonly id: string } {
    const id = this.#options.randomId()
    this.#add({ id, order, choice: null, failed: null, isPaused: false, notifies: false }, false)
    this.#advance()
    return { id }
  }

  answer(id: string, choice: ConflictChoice): void {
    this.#find(id).answer(choice)
  }

  /** Whether a notification tells, once, when it ends or needs its user. */
  notifyWhenDone(id: string, isOn: boolean): void {
    this.#find(id).setNotifies(isOn)
  }

  /** What is half done is removed. */
  cancel(id: string): void {
    const task = this.#find(id)
    const isPaused = task.value.phase.kind === 'paused'
    task.stop(new Canceled())
    if (!isPaused) return
    // No run of it clears up; the one that was paused may still be ending.
    const ended = this.#running.get(task) ?? Promise.resolve()
    this.#keepBusy(
      task,
      ended.then(() => task.removeParts()),
    )
    this.#publish()
  }

  /** Until it's resumed, also over a restart; what is half done stays. */
  pause(id: string): void {
    this.#find(id).pause()
  }

  /** Pauses all that aren't over. */
  pauseAll(): void {
    const tasks = [...this.#tasks.values()]
    // Those that wait come first: else each would take the place of one that is paused before it.
    for (const task of tasks) if (task.value.phase.kind === 'waiting') task.pause()
    for (const task of tasks) task.pause()
  }

  /** Those that are paused go on, each in its turn. */
  resumeAll(): void {
    for (const task of this.#tasks.values()) if (task.value.phase.kind === 'paused') task.prepareAgain()
    this.#advance()
  }

  /** Goes on where it was paused, in its turn. */
  resumeOne(id: string): void {
    const task = this.#find(id)
    if (task.value.phase.kind !== 'paused') return
    task.prepareAgain()
    this.#advance()
  }

  /**
   * Puts one that is queued right before the next one before it in its queue, or right behind the next one behind it, so
   * that all others keep their order, also in other queues; without effect where there is none.
   */
  move(id: string, to: 'earlier' | 'later'): void {
    const task = this.#find(id)
    const { value } = task
    const queue = queueOf(
      value,
      [...this.#tasks.values()].map((one) => one.value),
    ).map((one) => one.id)
    const other = queue[queue.indexOf(id) + (to === 'earlier' ? -1 : 1)]
    if (!isQueued(value.phase) || other === undefined) return
    const others = [...this.#tasks].filter(([key]) => key !== id)
    const at = others.findIndex(([key]) => key === other) + (to === 'earlier' ? 0 : 1)
    this.#tasks.clear()
    for (const [key, one] of others.toSpliced(at, 0, [id, task])) this.#tasks.set(key, one)
    this.#publish()
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

  #add(kept: KeptTransfer, isResumed: boolean): void {
    const { id, order } = kept
    const isOfAnother = (part: string): boolean =>
      [...this.#tasks.values(), ...this.#running.keys()].some(
        (other) => other !== task && other.holds(part, order),
      )
    const onChange = (): void => {
      // One that is canceled may go on clearing up for a minute, or one that is paused take its time, and holds up no other.
      if (this.#running.has(task) && !isActive(task)) this.#advance()
      else this.#publish()
    }
    const task = new TransferTask({ ...this.#options, ...kept, isResumed, isOfAnother, onChange })
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
      // Something else may have to be done about it by now.
      if (this.#running.get(task) === done) this.#running.delete(task)
      this.#advance()
    })
    this.#running.set(task, done)
  }

  /** Of those that run, without what only clears up, and without what waits for that to be tried again. */
  get #atWork(): number {
    return [...this.#running.keys()].filter(isActive).length
  }

  /**
   * Two of the same source write under the same names (part-name.ts), and one that was canceled may still be removing
   * what the other writes.
   */
  #isInTheWay({ value: { order } }: TransferTask): boolean {
    const names = new Set(order.names)
    return [...this.#running.keys()].some(
      ({ value: { order: other } }) =>
        isSamePlace(other.target, order.target) &&
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
    const keptAs = kept
      .map((one) => `${one.id} ${one.choice} ${one.failed !== null} ${one.isPaused} ${one.notifies}`)
      .join()
    if (keptAs === this.#keptAs) return
    this.#keptAs = keptAs
    this.#kept.write(kept)
  }
}

/** Neither over nor in the queue, though a run of it may still be ending. */
function isActive({ isOver, value: { phase } }: TransferTask): boolean {
  return !isOver && !isQueued(phase)
}
