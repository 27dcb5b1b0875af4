import { z } from 'zod'
import type { Journal } from '../../storage/journal.ts'
import type { FileStamp, PushedFile } from './push-decision.ts'

const stamp = z.object({ size: z.number(), modifiedAt: z.number().nullable() })

/** A line of a project's journal; the last one of a path counts. */
export const pushedLine = z.object({
  /** From the project's folder, its parts joined by slashes. */
  path: z.string(),
  /** `null` once it's none of the project's any more. */
  file: z.object({ here: stamp, there: stamp, how: z.enum(['sent', 'found', 'kept']) }).nullable(),
  /** As it was here when it began to be sent: half of it may be there. */
  half: stamp.optional(),
})
export type PushedLine = z.infer<typeof pushedLine>

/** Lines that are of no use any more, after which the journal is written anew. */
const mostUseless = 10_000
/** As many as a call takes as arguments without harm. */
const linesAtOnce = 5_000

/** What was pushed of a project, on the disk. */
export class PushedFiles {
  readonly #journal: Journal<PushedLine>
  #known: Promise<Known> | null = null

  constructor(journal: Journal<PushedLine>) {
    this.#journal = journal
  }

  /** By their paths. @throws ProblemError storage-failed */
  async all(): Promise<ReadonlyMap<string, PushedFile>> {
    return (await this.#read()).files
  }

  /** What began to be sent, and of which nobody heard that it arrived. @throws as `all` */
  async halves(): Promise<ReadonlyMap<string, FileStamp>> {
    return (await this.#read()).halves
  }

  /** On the disk when it resolves. @throws ProblemError storage-failed, newer-file */
  async note(lines: readonly PushedLine[]): Promise<void> {
    if (lines.length === 0) return
    const known = await this.#read()
    for (let at = 0; at < lines.length; at += linesAtOnce) {
      const some = lines.slice(at, at + linesAtOnce)
      await this.#journal.append(...some)
      for (const line of some) apply(known, line)
    }
  }

  /** As `note`, of what was only looked at: what is half there of it still is. */
  async learn(lines: readonly PushedLine[]): Promise<void> {
    const { halves } = await this.#read()
    await this.note(lines.map((line) => ({ ...line, half: halves.get(line.path) })))
  }

  #read(): Promise<Known> {
    this.#known ??= this.#load().catch((error: unknown) => {
      this.#known = null
      throw error
    })
    return this.#known
  }

  async #load(): Promise<Known> {
    const lines = await this.#journal.readAll()
    const known: Known = { files: new Map(), halves: new Map() }
    for (const line of lines) apply(known, line)
    if (lines.length - known.files.size > mostUseless) await this.#compact(lines)
    return known
  }

  async #compact(lines: readonly PushedLine[]): Promise<void> {
    const left = new Map<string, number>()
    for (const { path } of lines) left.set(path, (left.get(path) ?? 0) + 1)
    await this.#journal.compact(({ path, file, half }) => {
      const later = (left.get(path) ?? 1) - 1
      left.set(path, later)
      return later === 0 && (file !== null || half !== undefined)
    })
  }
}

interface Known {
  readonly files: Map<string, PushedFile>
  readonly halves: Map<string, FileStamp>
}

function apply({ files, halves }: Known, { path, file, half }: PushedLine): void {
  if (file === null) files.delete(path)
  else files.set(path, file)
  if (half === undefined) halves.delete(path)
  else halves.set(path, half)
}
