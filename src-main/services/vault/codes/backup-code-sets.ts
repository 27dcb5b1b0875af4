import { z } from 'zod'
import {
  countBackupCodes,
  nextBackupCode,
  normalizeBackupCode,
  reconcileBackupCodes,
  setInUse,
} from '../../../domain/vault/backup-codes.ts'
import { ProblemError } from '../../../domain/base/problem.ts'
import {
  backupCode,
  type BackupCode,
  type BackupCodeState,
  type BackupStanding,
  type KeptIn,
  type SavedBy,
  type VaultAccount,
} from '../../../domain/vault/vault-view.ts'
import { bestEffort } from '../keychain/best-effort.ts'
import type { BackupCodeSets } from './two-factor-secrets.ts'
import type { SecretList } from './secret-list.ts'
import { isSame } from './totp.ts'
import type { BackupListing } from '../vault-index.ts'

/** The value of `backup/<id>`. */
export const backupValue = z.object({ codes: z.array(backupCode).readonly() })
export type BackupValue = z.infer<typeof backupValue>

export interface BackupSetsOptions {
  readonly list: SecretList<BackupListing, BackupValue>
  readonly now: () => number
  readonly randomId: () => string
  /** Told of each code, so that it can be kept out of the log. */
  readonly remember: (secret: string) => void
}

/** What is known of a set that was in a vault before. */
export interface SetOrigin {
  readonly standing?: BackupStanding
  /** When it came into the vault first. */
  readonly addedAtMs?: number
}

/** Backup codes of accounts, each with what is known of it. */
export class BackupSets implements BackupCodeSets {
  readonly #options: BackupSetsOptions
  readonly #list: SecretList<BackupListing, BackupValue>

  constructor(options: BackupSetsOptions) {
    this.#options = options
    this.#list = options.list
  }

  async store({ account, codes, keepIn }: Parameters<BackupCodeSets['store']>[0]) {
    const before = this.#setsOf(account)
    const added = await this.#addWithoutLoss(account, codes, keepIn)
    for (const { id } of before) await this.#outdate(id)
    // What is outdated goes only once its successor lasts.
    if (added.keptIn === 'keychain') for (const { id } of before) await this.#discard(id)
    return added
  }

  /** Codes that the user has from elsewhere. Throws when they cannot be kept as asked: the user still has them. */
  async add(account: VaultAccount, codes: readonly BackupCode[], keepIn: KeptIn, origin: SetOrigin = {}) {
    return this.#add(account, codes, keepIn, origin)
  }

  async codes(setId: string): Promise<readonly BackupCode[]> {
    const { codes } = await this.#list.read(setId)
    for (const { code } of codes) this.#options.remember(code)
    return codes
  }

  /** The newest that the service has not replaced for certain. */
  current(account: VaultAccount): string | null {
    return setInUse(this.#list.listed.value, account)?.id ?? null
  }

  async next(setId: string): Promise<string | null> {
    return nextBackupCode(await this.codes(setId))
  }

  async mark(account: VaultAccount, typed: string, state: BackupCodeState): Promise<void> {
    const wanted = normalizeBackupCode(typed)
    for (const { id } of this.#setsOf(account)) {
      // A set that is gone does not keep the others from being right.
      if ((await this.#list.tryRead(id)).kind === 'missing') continue
      await this.#change(id, (codes) =>
        codes.some(({ code }) => code === wanted)
          ? codes.map((entry) => (entry.code === wanted ? { ...entry, state } : entry))
          : null,
      )
    }
  }

  /** One code, by its place in the set. */
  async markAt(setId: string, position: number, state: BackupCodeState): Promise<void> {
    await this.#change(setId, (codes) =>
      codes.map((entry, index) => (index === position ? { ...entry, state } : entry)),
    )
  }

  async markUncertain(account: VaultAccount): Promise<void> {
    const id = this.current(account)
    if (id !== null) await this.#list.changeListing(id, (listing) => ({ ...listing, standing: 'uncertain' }))
  }

  async reconcile(account: VaultAccount, count: number): Promise<void> {
    const id = this.current(account)
    if (id === null) return
    const { standing, serviceCount } = this.#find(id)
    // The same count of the same set says nothing new, and the keychain is left in peace.
    if (serviceCount === count && standing === 'current' && !this.#mayDiffer(id, count)) return
    await this.#list.change(id, ({ codes }, listing) => {
      const after = reconcileBackupCodes({ standing: listing.standing, codes }, count)
      return {
        secret: { codes: after.codes },
        listing: {
          ...listing,
          ...countBackupCodes(after.codes),
          standing: after.standing,
          serviceCount: count,
        },
      }
    })
  }

  markSaved(setId: string, saved: SavedBy): Promise<void> {
    return this.#list.changeListing(setId, (listing) => ({ ...listing, saved }))
  }

  /** Moves it from memory to the keychain; what it replaced goes then. */
  async keep(setId: string): Promise<void> {
    await this.#list.keep(setId)
    const outdated = this.#setsOf(this.#find(setId).account).filter(({ standing }) => standing === 'outdated')
    for (const { id } of outdated) if (id !== setId) await this.#discard(id)
  }

  remove(setId: string): Promise<void> {
    return this.#list.remove(setId)
  }

  /** Whether counts and codes disagree, or some codes are not certain. */
  #mayDiffer(id: string, count: number): boolean {
    const { unused, maybeUsed } = this.#find(id)
    return maybeUsed > 0 || unused !== count
  }

  async #addWithoutLoss(account: VaultAccount, codes: readonly string[], keepIn: KeptIn) {
    const fresh = codes.map((code): BackupCode => ({ code, state: 'unused' }))
    try {
      return await this.#add(account, fresh, keepIn)
    } catch (error) {
      // The service shows them once. In memory they last until they are kept or saved; `keptIn` says so.
      if (!(error instanceof ProblemError)) throw error
      return this.#add(account, fresh, 'memory')
    }
  }

  async #add(
    account: VaultAccount,
    codes: readonly BackupCode[],
    keepIn: KeptIn,
    { standing = 'current', addedAtMs }: SetOrigin = {},
  ): Promise<{ readonly id: string; readonly keptIn: KeptIn }> {
    const { now, randomId, remember } = this.#options
    for (const { code } of codes) remember(code)
    const id = randomId()
    const listing: BackupListing = {
      id,
      account,
      // A clock that ran ahead, here or elsewhere, makes no set newer than one that is added after it.
      addedAtMs: addedAtMs === undefined ? this.#newestOf(account) : Math.min(addedAtMs, now()),
      standing,
      ...countBackupCodes(codes),
      serviceCount: null,
      saved: null,
    }
    await this.#list.add(listing, { codes }, keepIn)
    return { id, keptIn: keepIn }
  }

  /** When one is added that is newer than all of this account. */
  #newestOf(account: VaultAccount): number {
    return Math.max(this.#options.now(), ...this.#setsOf(account).map(({ addedAtMs }) => addedAtMs + 1))
  }

  /** Not with the new codes in danger: what cannot be done now is done by the user, who sees it in the list. */
  async #outdate(id: string): Promise<void> {
    await bestEffort(() => this.#list.changeListing(id, (listing) => ({ ...listing, standing: 'outdated' })))
  }

  async #discard(id: string): Promise<void> {
    await bestEffort(() => this.#list.remove(id))
  }

  async #change(
    id: string,
    change: (codes: readonly BackupCode[]) => readonly BackupCode[] | null,
  ): Promise<void> {
    await this.#list.change(id, (value, listing) => {
      const codes = change(value.codes)
      return codes && { secret: { codes }, listing: { ...listing, ...countBackupCodes(codes) } }
    })
  }

  #setsOf(account: VaultAccount) {
    return this.#list.listed.value.filter((listing) => isSame(listing.account, account))
  }

  #find(id: string): BackupListing {
    const listing = this.#list.find(id)
    if (listing === null) throw new ProblemError({ kind: 'secret-missing', what: 'set of backup codes' })
    return listing
  }
}
