import { z } from 'zod'
import { hostLogin } from '../../domain/ssh/ssh-login.ts'
import { publicKey } from '../../domain/ssh/ssh-key.ts'
import { stepFrom } from '../../domain/base/file-version.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import { backupSetView, vaultEntry } from '../../domain/vault/vault-view.ts'

/** What is listed of a one-time password. */
const totpListing = vaultEntry.omit({ keptIn: true })
export type TotpListing = z.infer<typeof totpListing>

/** What is listed of a set of backup codes. */
const backupListing = backupSetView.omit({ keptIn: true })
export type BackupListing = z.infer<typeof backupListing>

const indexEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('api-key'),
    keyId: z.string().min(1),
    /** Milliseconds since the epoch. */
    since: z.number(),
  }),
  z.object({
    kind: z.literal('session-key'),
    keyId: z.string().min(1),
    isAdmin: z.boolean(),
    since: z.number(),
    /** It is not to be used any more, and is still to be taken out of the keychain. */
    isEnded: z.boolean(),
  }),
  z.object({
    kind: z.literal('instance-key'),
    /** Whose instance it is, whichever of the account's keys is used. */
    owner: z.string().min(1),
    instanceId: z.number().int(),
    since: z.number(),
  }),
  /** Of the private key file at `path`. */
  z.object({ kind: z.literal('passphrase'), path: z.string().min(1), since: z.number() }),
  /** Of a host that takes one. */
  hostLogin.extend({ kind: z.literal('host-password'), since: z.number() }),
  z.object({ kind: z.literal('ssh-key'), id: z.string().min(1), publicKey, since: z.number() }),
  z.object({ kind: z.literal('totp'), listing: totpListing }),
  z.object({ kind: z.literal('backup-codes'), listing: backupListing }),
])
export type IndexEntry = z.infer<typeof indexEntry>

const knownKinds = new Set<string>(indexEntry.options.map(({ shape }) => shape.kind.value))

/** Of a newer Slipway, whose secrets must not be lost: it is kept as it is. */
const unknownEntry = z
  .looseObject({ kind: z.string() })
  .refine(({ kind }) => !knownKinds.has(kind), 'This entry is not whole.')

/**
 * What should be in the keychain, without its secrets. A keychain cannot be listed safely, and only this
 * list tells an entry that was lost from one that never was.
 */
export const vaultIndex = z.object({ entries: z.array(z.union([indexEntry, unknownEntry])).readonly() })
export type VaultIndex = z.infer<typeof vaultIndex>

export const emptyVaultIndex: VaultIndex = { entries: [] }

/** The key of a session that had ended was taken out of the keychain at once, or not at all. */
const withEndedSessions = stepFrom(
  z.looseObject({
    entries: z.array(
      z.union([
        z.looseObject({ kind: z.literal('session-key'), isEnded: z.unknown().default(false) }),
        z.unknown(),
      ]),
    ),
  }),
)

/** The id of an account's key was called the account's. */
const withKeyId = stepFrom(
  z.looseObject({
    entries: z.array(
      z.union([
        z
          .looseObject({ kind: z.enum(['api-key', 'session-key']), accountId: z.string() })
          .transform(({ accountId, ...others }) => ({ ...others, keyId: accountId })),
        z.unknown(),
      ]),
    ),
  }),
)

export const vaultIndexFile = {
  schema: vaultIndex,
  steps: [withEndedSessions, withKeyId],
  fallback: emptyVaultIndex,
}

type AnyEntry = VaultIndex['entries'][number]

/** Whether it is an entry of this Slipway's, and not of a newer one's. */
export function isKnown(entry: AnyEntry): entry is IndexEntry {
  return knownKinds.has(entry.kind)
}

/** The index with these entries in place of those that are known. */
export function withKnown(index: VaultIndex, known: readonly IndexEntry[]): VaultIndex {
  return { entries: [...known, ...index.entries.filter((entry) => !isKnown(entry))] }
}

/** Where the index is kept. */
export interface VaultIndexFile {
  readonly read: () => VaultIndex
  /** On the disk when it resolves. @throws ProblemError storage-failed */
  readonly write: (next: VaultIndex) => Promise<void>
}

/** The index with changes that do not run into each other. */
export class IndexEntries {
  readonly #file: VaultIndexFile
  readonly #queue = new SerialQueue()

  constructor(file: VaultIndexFile) {
    this.#file = file
  }

  get all(): readonly IndexEntry[] {
    return this.#file.read().entries.filter(isKnown)
  }

  change(change: (entries: readonly IndexEntry[]) => readonly IndexEntry[]): Promise<void> {
    return this.#queue.take(() => this.#file.write(withKnown(this.#file.read(), change(this.all))))
  }
}
