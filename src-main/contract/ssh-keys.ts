import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { publicKey, sshAccess } from '../domain/ssh-key.ts'
import { nothing, procedure } from './base.ts'

export const sshKeys = {
  watch: procedure.output(eventIterator(sshAccess)),
  /** Makes an Ed25519 key; its private part goes to the keychain. The key made before is returned if there is one. */
  create: procedure.output(publicKey),
  /** The path of a private key file to log in with; `null` for none. A file that cannot be used is `invalid-input`. */
  setIdentityFile: procedure
    .input(z.object({ path: z.string().min(1).max(4096).nullable() }))
    .output(nothing),
}
