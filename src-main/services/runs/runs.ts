import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { Latest } from '../../domain/base/latest.ts'
import { invalidInput } from '../../domain/base/problem.ts'
import { runNotification } from '../../domain/notifications/done-notifications.ts'
import type { Notification } from '../../domain/notifications/notification.ts'
import { isRunOver, type Run, type RunOrder, type RunOutput, type RunPhase } from '../../domain/runs/run.ts'
import { RunPlace, type RunPlaceOptions } from './run-place.ts'
import { orStorageFailed, makeFolder } from '../storage/disk.ts'

export interface RunsOptions extends Pick<RunPlaceOptions, 'connections' | 'clock' | 'log' | 'onRunning'> {
  readonly randomId: () => string
  /** Outputs are saved in a folder of this one. */
  readonly homeFolder: string
  readonly notify: (notification: Notification) => void
}

interface Current {
  readonly id: string
  readonly command: string
  readonly orderedAt: number
  readonly places: ReadonlyMap<number, RunPlace>
  notifies: boolean
}

/** What the window shows of one output at once, in characters. */
const mostShown = 64 * 1024
/** The same in pieces, each an element of the page: lines of 65 characters from two streams in turn. */
const mostPiecesShown = 1_000
/** How often the window is told of more output. */
const tellMs = 200

/** One command on several instances at once: the last one that was ordered. */
export class Runs {
  readonly state = new Latest<Run | null>(null)
  readonly #options: RunsOptions
  #current: Current | null = null

  constructor(options: RunsOptions) {
    this.#options = options
  }

  /** Instances that a command runs on now. */
  get connected(): readonly number[] {
    return this.#places.flatMap(({ instanceId, phase }) => (phase.kind === 'running' ? [instanceId] : []))
  }

  /** @throws ProblemError while the one before goes on somewhere */
  start({ instanceIds, command }: RunOrder): { readonly id: string } {
    if (this.#places.some(({ phase }) => !isRunOver(phase))) throw invalidInput('command', { code: 'busy' })
    const { connections, clock, log, randomId, onRunning } = this.#options
    const places = new Map(
      instanceIds.map((instanceId) => [
        instanceId,
        new RunPlace({
          ...{ instanceId, command, connections, clock, randomId, log, onRunning },
          onChange: (phase) => this.#changed(run, phase),
        }),
      ]),
    )
    const run: Current = { id: randomId(), command, orderedAt: clock.now(), places, notifies: false }
    this.#current = run
    for (const place of places.values()) place.start()
    return { id: run.id }
  }

  /** Runs the same command once more where it is over. @throws ProblemError when it is not the last run */
  again(id: string, instanceId: number): void {
    const place = this.#find(id, instanceId)
    if (isRunOver(place.phase)) place.start()
  }

  /**
   * Whether a notification tells, once, when the command has ended everywhere; without effect when it has.
   *
   * @throws ProblemError when it is not the last run
   */
  notifyWhenDone(id: string, isOn: boolean): void {
    const run = this.#runOf(id)
    if (isOver(run)) return
    run.notifies = isOn
    this.#publish(run)
  }

  /** Ends the command on one instance, or on all. @throws ProblemError when it is not the last run */
  stop(id: string, instanceId: number | null): void {
    if (instanceId !== null) return void this.#find(id, instanceId).stop()
    for (const place of this.#runOf(id).places.values()) void place.stop()
  }

  /** The newest of an output, as it grows. @throws ProblemError when it is not the last run */
  async *watchOutput(id: string, instanceId: number, signal?: AbortSignal): AsyncGenerator<RunOutput> {
    const place = this.#find(id, instanceId)
    for await (const _ of place.written.watch(signal)) {
      yield place.output.newest(mostShown, mostPiecesShown)
      await this.#options.clock.sleep(tellMs)
    }
  }

  /** All that is kept of an output. @throws ProblemError when it is not the last run */
  text(id: string, instanceId: number): string {
    return this.#find(id, instanceId).output.text()
  }

  /**
   * Writes each output into a file, in the folder of the run's time, and tells which that is.
   *
   * @throws ProblemError storage-failed; when it is not the last run
   */
  async save(id: string): Promise<string> {
    const { orderedAt, command, places } = this.#runOf(id)
    const time = new Date(orderedAt).toISOString().slice(0, 19).replaceAll(':', '.')
    const folder = join(this.#options.homeFolder, 'slipway-outputs', time)
    await orStorageFailed(folder, async () => {
      await makeFolder(folder)
      await writeFile(join(folder, 'command.txt'), `${command}\n`, { mode: 0o600 })
      for (const [instanceId, { output }] of places)
        await writeFile(join(folder, `${instanceId}.txt`), output.text(), { mode: 0o600 })
    })
    return folder
  }

  /** Ends the command wherever it goes on. */
  async dispose(): Promise<void> {
    await Promise.all(this.#places.map((place) => place.stop()))
  }

  get #places(): readonly RunPlace[] {
    return [...(this.#current?.places.values() ?? [])]
  }

  #runOf(id: string): Current {
    if (this.#current?.id === id) return this.#current
    throw invalidInput('id', { code: 'not-listed' })
  }

  #find(id: string, instanceId: number): RunPlace {
    const place = this.#runOf(id).places.get(instanceId)
    if (place === undefined) throw invalidInput('instanceId', { code: 'not-listed' })
    return place
  }

  #changed(run: Current, { kind }: RunPhase): void {
    const tells = run.notifies && isOver(run)
    if (tells) run.notifies = false
    this.#publish(run)
    // Who stopped what still went on knows that all have ended.
    if (tells && kind !== 'stopped' && this.state.value)
      this.#options.notify(runNotification(this.state.value))
  }

  #publish({ places, ...run }: Current): void {
    const phases = [...places.values()].map(({ instanceId, phase }) => ({ instanceId, phase }))
    this.state.set({ ...run, places: phases })
  }
}

function isOver({ places }: Current): boolean {
  return [...places.values()].every(({ phase }) => isRunOver(phase))
}
