import { z } from 'zod'
import type { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import type { Preferences } from '../../domain/settings/settings.ts'
import { plainShell } from '../../domain/terminals/shell-wish.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import {
  emptyArrangement,
  type SavedScreen,
  terminalArrangement,
  type TerminalArrangement,
} from '../../domain/terminals/saved-terminals.ts'
import { stepFrom, stepToOwnPart } from '../../domain/base/file-version.ts'
import type { JsonFile, JsonFileShape } from '../storage/json-file.ts'
import type { ScrollbackFiles } from './scrollback-files.ts'

/** Terminals were plain shells, wherever they began. */
const withShells = stepFrom(
  z.record(
    z.string(),
    z.looseObject({
      terminals: z.array(
        z.looseObject({
          wish: z.unknown().default(plainShell),
          isSessionMissing: z.unknown().default(false),
          folder: z.unknown().default(null),
        }),
      ),
    }),
  ),
)

/** How terminals stood. What they showed, a file for each, is of the same version. */
export const savedTerminalsFile: JsonFileShape<TerminalArrangement> = {
  schema: terminalArrangement,
  steps: [withShells, stepToOwnPart(z.record(z.string(), terminalArrangement), emptyArrangement)],
  fallback: emptyArrangement,
  whenNewer: 'in-memory',
}

export interface SavedTerminalsOptions {
  readonly file: Pick<JsonFile<TerminalArrangement>, 'value' | 'write' | 'isNewer'>
  readonly screens: ScrollbackFiles
  readonly preferences: Latest<Preferences>
  readonly log: Log
}

/**
 * How the account's terminals stood when Slipway was closed. What they showed is kept only while the user
 * wants it, and no longer than the terminal itself.
 */
export class SavedTerminals {
  readonly #options: SavedTerminalsOptions
  readonly #queue = new SerialQueue()

  constructor(options: SavedTerminalsOptions) {
    this.#options = options
  }

  readonly read = (): TerminalArrangement => this.#options.file.value

  /** On the disk when it resolves, and what gone terminals showed is deleted. @throws ProblemError storage-failed */
  readonly keep = (arrangement: TerminalArrangement): Promise<void> =>
    this.#queue.take(async () => {
      await this.#options.file.write(arrangement)
      await this.#tidy()
    })

  readonly readScreen = async (key: string): Promise<SavedScreen | null> =>
    this.#wanted().has(key) ? this.#options.screens.read(key) : null

  /** Only of a terminal that is itself kept: what is told late of a closed one is dropped. */
  readonly keepScreen = async (key: string, screen: SavedScreen): Promise<void> => {
    if (this.#wanted().has(key)) await this.#options.screens.write(key, screen)
  }

  /**
   * Deletes what is no longer wanted, as soon as the user says so, until the signal is aborted. When it resolves, all
   * that was to be kept is on the disk.
   */
  async follow(signal: AbortSignal): Promise<void> {
    const { preferences, screens, log } = this.#options
    let wanted: boolean | null = null
    for await (const { terminals } of preferences.watch(signal)) {
      if (terminals.keepScreens === wanted) continue
      wanted = terminals.keepScreens
      try {
        await this.#tidy()
      } catch (error) {
        log.error('What terminals showed could not be deleted', error)
      }
    }
    await this.#queue.take(() => screens.settled())
  }

  async #tidy(): Promise<void> {
    const { file, screens } = this.#options
    // Whose they are, only a newer Slipway can tell.
    if (!file.isNewer) await screens.keepOnly(this.#wanted())
  }

  #wanted(): ReadonlySet<string> {
    const { file, preferences } = this.#options
    if (file.isNewer || !preferences.value.terminals.keepScreens) return new Set()
    return new Set(file.value.terminals.map(({ key }) => key))
  }
}
