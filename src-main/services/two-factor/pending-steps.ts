import { z } from 'zod'
import { stepToOwnPart } from '../../domain/base/file-version.ts'
import { methodKind } from '../../domain/two-factor/methods.ts'
import type { JsonFile, JsonFileShape } from '../storage/json-file.ts'

/** The vault's backup code sets of the account before it: one that is not among them came with it. */
const setsBefore = z.array(z.string()).readonly()

/** Written before it is sent, and closed only when nothing of its reply can be lost any more. */
const openStep = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('confirm'),
    id: z.string(),
    /** Milliseconds since the epoch. */
    at: z.number(),
    method: methodKind,
    /** Backup codes come with it. */
    isFirst: z.boolean(),
    knownIds: z.array(z.number().int()).readonly(),
    /** Of the vault; `null` for SMS. */
    entryId: z.string().nullable(),
    setsBefore,
  }),
  z.object({
    kind: z.literal('regenerate'),
    id: z.string(),
    at: z.number(),
    /** As the service counted them; `null` when it did not say. */
    codesBefore: z.number().nullable(),
    setsBefore,
  }),
])
export type OpenStep = z.infer<typeof openStep>

/** What the user has to know of codes whose reply was lost, until new ones are made or it is dismissed. */
const lostCodes = z.object({
  kind: z.enum(['codes-lost', 'codes-uncertain']),
  id: z.string(),
  at: z.number(),
  replaced: z.boolean().nullable(),
})
export type LostCodes = z.infer<typeof lostCodes>

const notes = z.object({
  open: z.array(openStep).readonly(),
  lost: z.array(lostCodes).readonly(),
  /** The service flagged the account for SMS fraud. */
  isSmsDisabled: z.boolean(),
})
export type TwoFactorNotes = z.infer<typeof notes>

const noNotes: TwoFactorNotes = { open: [], lost: [], isSmsDisabled: false }

/** Holds no secret. */
export const twoFactorFile: JsonFileShape<TwoFactorNotes> = {
  schema: notes,
  steps: [stepToOwnPart(z.record(z.string(), notes), noNotes)],
  fallback: noNotes,
}

/** What must outlive a crash about the account's 2FA. Writes throw ProblemError storage-failed. */
export class PendingSteps {
  readonly #file: JsonFile<TwoFactorNotes>

  constructor(file: JsonFile<TwoFactorNotes>) {
    this.#file = file
  }

  get notes(): TwoFactorNotes {
    return this.#file.value
  }

  /** On the disk when it resolves; the step is taken only then. */
  open(step: OpenStep): Promise<void> {
    return this.#change((all) => ({ ...all, open: [...all.open, step] }))
  }

  /** The step has ended; `lost` says what is left of it. */
  close(id: string, lost: LostCodes | null = null): Promise<void> {
    return this.#change((all) => ({
      ...all,
      open: all.open.filter((step) => step.id !== id),
      lost: lost === null ? all.lost : [...all.lost.filter((each) => each.id !== lost.id), lost],
    }))
  }

  /** A confirm-new has ended with this method, which no other one that is still open has added then. */
  closeAdded(id: string, methodId: number, lost: LostCodes | null): Promise<void> {
    return this.#change((all) => ({
      ...all,
      open: all.open
        .filter((step) => step.id !== id)
        .map((step) =>
          step.kind === 'confirm' ? { ...step, knownIds: [...step.knownIds, methodId] } : step,
        ),
      lost: lost === null ? all.lost : [...all.lost, lost],
    }))
  }

  /** New codes are held, so that those lost before do not matter any more. */
  codesRenewed(): Promise<void> {
    return this.#change((all) => ({
      ...all,
      open: all.open.filter(({ kind }) => kind !== 'regenerate'),
      lost: [],
    }))
  }

  /** The user knows now what was lost with this step. */
  dismiss(id: string): Promise<void> {
    return this.#change((all) => ({ ...all, lost: all.lost.filter((each) => each.id !== id) }))
  }

  setSmsDisabled(isSmsDisabled: boolean): Promise<void> {
    return this.#change((all) => ({ ...all, isSmsDisabled }))
  }

  async #change(change: (notes: TwoFactorNotes) => TwoFactorNotes): Promise<void> {
    await this.#file.update(change)
  }
}
