import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { ProblemError, type Problem } from '../../domain/base/problem.ts'
import {
  type Computer,
  isInstallable,
  isNewer,
  isPrerelease,
  isSigned,
  release,
  type Release,
  releaseFileFor,
  type UpdateChannel,
} from './release.ts'
import type { Preferences } from '../../domain/settings/settings.ts'
import {
  installQuestion,
  type AtWork,
  type NoUpdates,
  type UpdateState,
} from '../../domain/updates/update.ts'

/** What looks at the place for updates, loads and installs: electron-updater, behind `desktop/updater.ts`. */
export interface UpdateEngine {
  /** What the place says of the newest release of a channel. @throws when it cannot be had */
  readonly look: (channel: UpdateChannel) => Promise<unknown>
  /**
   * Loads the release of the last look, and checks it against the checksum that it came with.
   *
   * @throws when it cannot be had, or is not what the checksum says
   */
  readonly download: (onPercent: (percent: number) => void) => Promise<void>
  /**
   * Ends Slipway in good order, installs what was loaded, and starts it again.
   *
   * @throws when the system does not take it: Slipway goes on then
   */
  readonly install: () => Promise<void>
}

/** Where updates come from, if from anywhere. */
export type UpdateSource =
  | { readonly kind: 'none'; readonly why: NoUpdates }
  | {
      readonly kind: 'engine'
      readonly engine: UpdateEngine
      readonly publicKey: string
      /** What this build is made for. */
      readonly computer: Computer
    }

export interface UpdatesOptions {
  readonly source: UpdateSource
  readonly currentVersion: string
  readonly preferences: Latest<Pick<Preferences, 'looksForUpdates' | 'getsPrereleases'>>
  readonly atWork: () => AtWork
  /** Resolves to whether the user agreed. */
  readonly ask: (question: { readonly message: string; readonly detail: string }) => Promise<boolean>
  /** Tells of a version that was found while nobody looked. */
  readonly notify: (version: string) => void
  /** The version whose installation was begun last, kept over the end of Slipway; `null` for none. */
  readonly begun: {
    readonly value: string | null
    /** @throws ProblemError storage-failed */
    readonly write: (version: string | null) => Promise<void>
  }
  readonly clock: Clock
  readonly log: Log
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * New versions of Slipway. Nothing is asked for unless the user turned that on or presses the button; nothing is
 * loaded or installed without a press either. A release counts only when it is signed and newer.
 */
export class Updates {
  readonly state: Latest<UpdateState>
  /**
   * A version that an earlier run ended for, to be installed, and that does not run now; `null` for none. Nothing
   * tells of it when it fails: what installs runs when Slipway is gone.
   */
  readonly notInstalled: Latest<string | null>
  readonly #options: UpdatesOptions

  constructor(options: UpdatesOptions) {
    this.#options = options
    const { source, begun, currentVersion } = options
    this.state = new Latest<UpdateState>(source.kind === 'none' ? source : { kind: 'idle', at: null })
    const isMissing = source.kind === 'engine' && begun.value !== null && isNewer(begun.value, currentVersion)
    this.notInstalled = new Latest(isMissing ? begun.value : null)
  }

  /** Looks once. What was found, loaded or is under way stays as it is. */
  async look(): Promise<void> {
    const { source } = this.#options
    const { kind } = this.state.value
    if (source.kind === 'none' || (kind !== 'idle' && kind !== 'failed')) return
    this.state.set({ kind: 'looking' })
    const channel = this.#channel()
    await this.#orFail('look for', async () => {
      const told = release.safeParse(await source.engine.look(channel))
      if (!told.success) throw new ProblemError({ kind: 'update-failed', cause: 'unsigned' })
      const state = this.#judge(told.data, source, channel)
      if (channel === this.#channel()) this.state.set(state)
    })
    if (channel === this.#channel()) return
    // The user has chosen the other one meanwhile: what was found here says nothing of it.
    this.state.set({ kind: 'idle', at: null })
    await this.look()
  }

  /** Loads what was found. */
  async download(): Promise<void> {
    const { source } = this.#options
    const found = this.state.value
    if (source.kind === 'none' || found.kind !== 'found') return
    const { version, notes } = found
    this.state.set({ kind: 'downloading', version, notes, percent: 0 })
    await this.#orFail('load', async () => {
      await source.engine.download((percent) =>
        this.state.set({ kind: 'downloading', version, notes, percent }),
      )
      this.state.set({ kind: 'ready', version, notes })
      this.#withdraw()
    })
  }

  /** Installs what was loaded; asks first where that would end something. */
  async install(): Promise<void> {
    const { source, atWork, ask } = this.#options
    const found = this.state.value
    if (source.kind === 'none' || found.kind !== 'ready') return
    const question = installQuestion(atWork())
    if (question !== null && !(await ask(question))) return
    // It may have been taken back while the question was open.
    if (this.state.value !== found) return
    await this.#noteBegun(found.version)
    await this.#orFail('install', async () => {
      try {
        await source.engine.install()
      } catch (error) {
        // It is told now.
        await this.#noteBegun(null)
        throw error
      }
    })
  }

  /** The user knows of it. @throws ProblemError storage-failed */
  async forgetNotInstalled(): Promise<void> {
    await this.#options.begun.write(null)
    this.notInstalled.set(null)
  }

  /** Looks at the start and once a day, for as long as the user wants that. */
  async follow(signal: AbortSignal): Promise<void> {
    const { source, preferences, clock, begun } = this.#options
    // It runs. Were it to stay, who went back to an older version on purpose would be told that it had failed.
    if (begun.value !== null && this.notInstalled.value === null) await this.#noteBegun(null)
    if (source.kind === 'none') return
    let lastMs = Number.NEGATIVE_INFINITY
    let end = new AbortController()
    let channel = this.#channel()
    for await (const { looksForUpdates } of preferences.watch(signal)) {
      end.abort()
      if (channel !== this.#channel()) {
        channel = this.#channel()
        lastMs = Number.NEGATIVE_INFINITY
        this.#withdraw()
      }
      if (!looksForUpdates) continue
      end = new AbortController()
      void this.#daily(AbortSignal.any([signal, end.signal]), () => {
        const isDue = clock.now() - lastMs >= dayMs
        if (isDue) lastMs = clock.now()
        return isDue
      })
    }
    end.abort()
  }

  async #daily(signal: AbortSignal, isDue: () => boolean): Promise<void> {
    const { clock } = this.#options
    while (!signal.aborted) {
      if (isDue()) {
        const known = this.#found()
        await this.look()
        const found = this.#found()
        if (found !== null && found !== known) this.#options.notify(found)
      }
      // Cut short when the user wants no more of it: the loop looks at that.
      await clock.sleep(dayMs / 24, signal).catch(() => undefined)
    }
  }

  #channel(): UpdateChannel {
    return this.#options.preferences.value.getsPrereleases ? 'beta' : 'latest'
  }

  /** Forgets what no longer holds on the channel that the user has chosen now. */
  #withdraw(): void {
    const { value } = this.state
    const isOver =
      value.kind === 'found' || value.kind === 'ready'
        ? isPrerelease(value.version) && this.#channel() === 'latest'
        : value.kind === 'idle' || value.kind === 'failed'
    if (isOver) this.state.set({ kind: 'idle', at: null })
  }

  /** The version that was found and is not loaded yet. */
  #found(): string | null {
    const { value } = this.state
    return value.kind === 'found' ? value.version : null
  }

  #judge(
    told: Release,
    { publicKey, computer }: Extract<UpdateSource, { kind: 'engine' }>,
    channel: UpdateChannel,
  ): UpdateState {
    const { currentVersion, clock, log } = this.#options
    if (!isSigned(told, releaseFileFor(computer, channel), publicKey))
      throw new ProblemError({ kind: 'update-failed', cause: 'unsigned' })
    if (!isInstallable(told, computer)) throw new ProblemError({ kind: 'update-failed', cause: 'unfit' })
    const isOnChannel = channel === 'beta' || !isPrerelease(told.version)
    if (isOnChannel && isNewer(told.version, currentVersion))
      return { kind: 'found', version: told.version, notes: (told.releaseNotes ?? '').trim() }
    log.info(`The newest version is ${told.version}`)
    return { kind: 'idle', at: clock.now() }
  }

  /** Without it the installation goes on all the same: what is missed is a word about its failure. */
  async #noteBegun(version: string | null): Promise<void> {
    try {
      await this.#options.begun.write(version)
    } catch (error) {
      this.#options.log.error('Which version is being installed could not be written down', error)
    }
  }

  async #orFail(what: 'look for' | 'load' | 'install', work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.log.error(`Could not ${what} a new version`, error)
      this.state.set({ kind: 'failed', problem: problemOf(what, error) })
    }
  }
}

function problemOf(what: 'look for' | 'load' | 'install', error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem
  if (what === 'install') return { kind: 'update-failed', cause: 'not-installed' }
  const isDamaged = error instanceof Error && 'code' in error && error.code === 'ERR_CHECKSUM_MISMATCH'
  return { kind: 'update-failed', cause: isDamaged ? 'damaged' : 'unreachable' }
}
