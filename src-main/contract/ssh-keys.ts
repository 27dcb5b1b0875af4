import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { publicKey, sshAccess } from '../domain/ssh/ssh-key.ts'
import { hostLogin } from '../domain/ssh/ssh-login.ts'
import { identityFilePath } from '../domain/settings/settings.ts'
import { nothing, procedure } from './base.ts'

const file = z.object({ path: identityFilePath })

export const sshKeys = {
  watch: procedure.output(eventIterator(sshAccess)),
  /** Makes an Ed25519 key; its private part goes to the keychain. The key made before is returned if there is one. */
  create: procedure.output(publicKey),
  /** A private key file to log in with, tried after those before it. One that cannot be used is `invalid-input`. */
  addIdentityFile: procedure.input(file).output(nothing),
  /** What was kept for it is forgotten, too. */
  removeIdentityFile: procedure.input(file).output(nothing),
  /** Takes a file's passphrase out of the keychain; it is asked for at the next login. */
  forgetPassphrase: procedure.input(file).output(nothing),
  /** It is asked for at the next login. */
  forgetHostPassword: procedure.input(hostLogin).output(nothing),
  /** Looks at the files again. */
  refresh: procedure.output(nothing),
}
