import { z } from 'zod'
import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import type { Seen } from '../../domain/last-seen/last-seen.ts'
import type { JsonFile, JsonFileShape } from '../storage/json-file.ts'

/** What the service said to one question. */
interface SeenAnswer<T> extends Seen<T> {
  /** Tells it from other questions of the same kind; empty where there is only one. */
  readonly question: string
}

/** The latest first. */
type SeenAnswers<T> = readonly SeenAnswer<T>[]

/** A file of what was last seen; nobody relies on it, so a newer one is not complained of each time. */
export function lastSeenFile<T>(content: z.ZodType<T>): JsonFileShape<SeenAnswers<T>> {
  return {
    schema: z.array(z.object({ question: z.string(), seenAt: z.number(), content })).readonly(),
    fallback: [],
    whenNewer: 'in-memory',
  }
}

/** What differs is written after so long, the last of a run at its end. */
const changedAfterMs = 60_000
/** Answers that differ by their age alone are written again after so long. */
const unchangedAfterMs = 5 * 60_000
/** Of all answers in a file together, in UTF-16 units: the service may send anything. */
const mostChars = 1_000_000

export interface LastSeenOptions<T> {
  readonly file: Pick<JsonFile<SeenAnswers<T>>, 'value' | 'write'>
  /** How many questions' answers are kept. */
  readonly most: number
  readonly clock: Clock
  readonly log: Log
}

/**
 * What the service said last to questions of a kind, in this run or an earlier one. Only the window gets it, and only
 * to be shown: nothing that acts may look here.
 */
export class LastSeen<T> {
  readonly #options: LastSeenOptions<T>
  readonly #answers: Latest<SeenAnswers<T>>
  /** As they are on the disk. */
  #kept: SeenAnswers<T>
  #written = { what: '', at: -Infinity }

  constructor(options: LastSeenOptions<T>) {
    this.#options = options
    this.#kept = options.file.value
    this.#answers = new Latest(this.#kept)
  }

  /** @param question as it was noted; `null` when nothing was */
  find(question = ''): Seen<T> | null {
    return this.#answers.value.find((one) => one.question === question) ?? null
  }

  /** Takes the place of what was seen before: also an answer that says that there is nothing. */
  note({ question = '', ...seen }: Seen<T> & { readonly question?: string }): void {
    if (this.find(question)?.seenAt === seen.seenAt) return
    const others = this.#answers.value.filter((one) => one.question !== question)
    this.#answers.set(fitting([{ question, ...seen }, ...others].slice(0, this.#options.most)))
  }

  /** Until the signal is aborted; what was seen last is on the disk when it resolves. */
  async follow(signal: AbortSignal): Promise<void> {
    for await (const answers of this.#answers.watch(signal)) await this.#writeWhenDue(answers)
    if (this.#answers.value !== this.#kept) await this.#write(this.#answers.value)
  }

  async #writeWhenDue(answers: SeenAnswers<T>): Promise<void> {
    if (answers === this.#kept) return
    const now = this.#options.clock.now()
    const what = JSON.stringify(answers.map(({ question, content }) => [question, content]))
    const pauseMs = what === this.#written.what ? unchangedAfterMs : changedAfterMs
    // The clock may have been set back.
    if (Math.abs(now - this.#written.at) < pauseMs) return
    this.#written = { what, at: now }
    await this.#write(answers)
  }

  /** A failure costs nothing now: after the next start there is an older answer, or none. */
  async #write(answers: SeenAnswers<T>): Promise<void> {
    try {
      await this.#options.file.write(answers)
      this.#kept = answers
    } catch (error) {
      this.#options.log.error('What was last seen could not be written', error)
    }
  }
}

/** The latest answers that are not too long together. */
function fitting<T>(answers: SeenAnswers<T>): SeenAnswers<T> {
  let chars = 0
  return answers.filter((one) => (chars += JSON.stringify(one).length) <= mostChars)
}
