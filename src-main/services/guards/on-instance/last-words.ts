import { isDeepStrictEqual } from 'node:util'
import type { Log } from '../../../domain/base/log.ts'
import { nothingHeard, type LastWord, type WatchedGuard } from '../../../domain/guards/watcher.ts'
import type { JsonFile } from '../../storage/json-file.ts'
import type { GuardsFile } from '../guards-file.ts'

const mostWatched = 1000
/** What has only become older is written again after so long: Slipway may end at any time. */
const rewriteAfterMs = 5 * 60_000

export interface LastWordsOptions {
  readonly file: Pick<JsonFile<GuardsFile>, 'value' | 'update'>
  readonly randomId: () => string
  readonly log: Log
}

/** What instances said last, also to an earlier run: what they were told must be taken back one day. */
export class LastWords {
  readonly #options: LastWordsOptions
  readonly #words = new Map<number, LastWord>()

  constructor(options: LastWordsOptions) {
    this.#options = options
    for (const word of options.file.value.words) this.#words.set(word.instanceId, word)
  }

  /** Names this computer to the instances; `null` while none was told anything. */
  get owner(): string | null {
    return this.#options.file.value.owner
  }

  /** Instances that are to see to guards by themselves, or were told to. */
  get instanceIds(): readonly number[] {
    const { guards, watched } = this.#options.file.value
    const wished = guards.filter(({ place }) => place === 'instance').map(({ instanceId }) => instanceId)
    return [...new Set([...wished, ...watched])]
  }

  of(instanceId: number): LastWord {
    return this.#words.get(instanceId) ?? nothingHeard(instanceId)
  }

  /** An instance is told these now. Resolves with the name of this computer. @throws ProblemError storage-failed */
  async noteTold(instanceId: number, told: readonly WatchedGuard[]): Promise<string> {
    const { file, randomId } = this.#options
    const owner = file.value.owner ?? randomId()
    const word = this.of(instanceId)
    const news = told.filter(({ id }) => !word.watched.some((known) => known.id === id))
    if (file.value.owner === null || !file.value.watched.includes(instanceId) || news.length > 0) {
      const next = { ...word, watched: [...word.watched, ...news] }
      await file.update((all) => ({
        ...all,
        owner,
        watched: [...all.watched.filter((id) => id !== instanceId), instanceId].slice(-mostWatched),
        words: withWord(all.words, next),
      }))
      this.#words.set(instanceId, next)
    }
    return owner
  }

  /** An instance has nothing to see to any more. @throws ProblemError storage-failed */
  async noteUnwatched(instanceId: number): Promise<void> {
    const { file } = this.#options
    const isKnown =
      file.value.watched.includes(instanceId) ||
      file.value.words.some((word) => word.instanceId === instanceId)
    this.#words.delete(instanceId)
    if (!isKnown) return
    await file.update((all) => ({
      ...all,
      watched: all.watched.filter((id) => id !== instanceId),
      words: all.words.filter((word) => word.instanceId !== instanceId),
    }))
  }

  /** A failure to write it costs nothing now: the next start knows less. */
  async note(word: LastWord): Promise<void> {
    const { file, log } = this.#options
    this.#words.set(word.instanceId, word)
    const written = file.value.words.find(({ instanceId }) => instanceId === word.instanceId)
    if (written !== undefined && isAlike(written, word)) return
    try {
      await file.update((all) => ({ ...all, words: withWord(all.words, word) }))
    } catch (error) {
      log.error(`What instance ${word.instanceId} said of its auto-stop rules could not be written`, error)
    }
  }
}

function withWord(words: readonly LastWord[], word: LastWord): readonly LastWord[] {
  return [...words.filter(({ instanceId }) => instanceId !== word.instanceId), word].slice(-mostWatched)
}

/** Whether nothing but a little time has passed in between. */
function isAlike(one: LastWord, other: LastWord): boolean {
  const isNear = Math.abs((one.heardAt ?? 0) - (other.heardAt ?? 0)) < rewriteAfterMs
  return isNear && isDeepStrictEqual(essenceOf(one), essenceOf(other))
}

function essenceOf({ heardAt, watched, ...others }: LastWord): unknown {
  const rules = watched.map(({ elapsedSeconds: _elapsed, leftSeconds: _left, busy: _busy, ...rule }) => rule)
  return { ...others, rules, wasHeard: heardAt !== null }
}
