import type { SkippedKey } from '../../../domain/base/key-fault.ts'
import { invalidInput } from '../../../domain/base/problem.ts'
import { mostIdentityFiles } from '../../../domain/settings/settings.ts'
import type { IdentityFileState } from '../../../domain/ssh/ssh-key.ts'
import type { Identity, LockedIdentity } from './identities.ts'
import { readIdentityFile, readPublicKey, requireUsableIdentityFile } from './identity-file.ts'
import type { LockedKeys, PassphraseStore } from './locked-keys.ts'

export interface IdentityFilesOptions {
  readonly paths: () => readonly string[]
  /** @throws ProblemError storage-failed */
  readonly setPaths: (paths: readonly string[]) => Promise<void>
  readonly lockedKeys: LockedKeys
  readonly passphrases: PassphraseStore & { readonly paths: readonly string[] }
}

/** The private key files that the user chose, and what was kept for them. */
export class IdentityFiles {
  readonly #options: IdentityFilesOptions

  constructor(options: IdentityFilesOptions) {
    this.#options = options
  }

  /** What a login is tried with, read anew: the chosen files, and then `further` ones. */
  async identities(further: readonly string[] = []): Promise<{
    readonly keys: readonly (Identity | LockedIdentity)[]
    readonly skipped: readonly SkippedKey[]
  }> {
    const { paths, lockedKeys } = this.#options
    const keys: (Identity | LockedIdentity)[] = []
    const skipped: SkippedKey[] = []
    for (const path of new Set([...paths(), ...further])) {
      const file = await readIdentityFile(path)
      switch (file.kind) {
        case 'open':
          keys.push({ name: path, privateKey: file.privateKey })
          break
        case 'locked': {
          const { text, publicKey } = file
          keys.push({ name: path, publicKey, open: (ask) => lockedKeys.open({ path, text, publicKey }, ask) })
          break
        }
        case 'unusable':
          skipped.push({ name: path, why: file.why })
      }
    }
    return { keys, skipped }
  }

  /** Files that were not chosen, whose passphrases were kept all the same. */
  get otherKept(): readonly string[] {
    const { paths, passphrases } = this.#options
    return passphrases.paths.filter((path) => !paths().includes(path))
  }

  /** In SSH's wire format: the keys that the chosen files and `further` ones name, for an agent that holds them. */
  async publicKeys(further: readonly string[]): Promise<readonly Buffer[]> {
    const paths = [...new Set([...this.#options.paths(), ...further])]
    return (await Promise.all(paths.map(readPublicKey))).flat()
  }

  /** Of the chosen files, each read anew; what is wrong with one is in its state. */
  async states(): Promise<IdentityFileState[]> {
    return Promise.all(this.#options.paths().map((path) => this.#stateOf(path)))
  }

  /** @throws ProblemError invalid-input when no login could be tried with it, storage-failed */
  async add(path: string): Promise<void> {
    const { paths, setPaths } = this.#options
    await requireUsableIdentityFile(path)
    if (paths().includes(path)) return
    if (paths().length >= mostIdentityFiles)
      throw invalidInput('path', { code: 'too-many', most: mostIdentityFiles })
    await setPaths([...paths(), path])
  }

  /** @throws ProblemError as `forgetPassphrase` does, and storage-failed */
  async remove(path: string): Promise<void> {
    await this.forgetPassphrase(path)
    await this.#options.setPaths(this.#options.paths().filter((each) => each !== path))
  }

  /** Also what was opened with it. @throws ProblemError keychain-locked, keychain-unavailable, storage-failed */
  async forgetPassphrase(path: string): Promise<void> {
    const { passphrases, lockedKeys } = this.#options
    await passphrases.forget(path)
    const file = await readIdentityFile(path)
    if (file.kind === 'locked') lockedKeys.close(file.text)
  }

  async #stateOf(path: string): Promise<IdentityFileState> {
    const { lockedKeys, passphrases } = this.#options
    const file = await readIdentityFile(path)
    switch (file.kind) {
      case 'open':
        return { path, state: { kind: 'ready' } }
      case 'locked': {
        const isGiven = lockedKeys.isOpen(file.text)
        const passphrase = passphrases.paths.includes(path) ? 'kept' : isGiven ? 'given' : 'asked'
        return { path, state: { kind: 'locked', passphrase } }
      }
      case 'unusable':
        return { path, state: file }
    }
  }
}
