import type { ImportSource } from '../../../domain/vault/vault-import.ts'
import { readAegis } from './aegis.ts'
import { readBitwarden } from './bitwarden.ts'
import type { ImportContent } from './import-content.ts'
import { readOtpLinks } from './otp-links.ts'
import { readTwoFas } from './two-fas.ts'

/** Files of other programs; Slipway's own hold more than one-time passwords. */
export type ForeignSource = Exclude<ImportSource, 'slipway'>

/** @param password empty for what isn't encrypted */
type Reader = (text: string, password: string) => ImportContent | Promise<ImportContent>

const readers: Readonly<Record<ForeignSource, Reader>> = {
  otpauth: readOtpLinks,
  'google-authenticator': readOtpLinks,
  aegis: readAegis,
  '2fas': readTwoFas,
  bitwarden: readBitwarden,
}

/**
 * The one-time passwords of a file or a text of another program.
 *
 * @throws ProblemError invalid-input for one that can't be opened or read, `wrong-password` at `passphrase`
 */
export async function readImport(
  source: ForeignSource,
  text: string,
  password: string,
): Promise<ImportContent> {
  return readers[source](text, password)
}
