import { readOtpUri } from '../codes/otp-uri.ts'
import { MigrationLinks } from './google-authenticator.ts'
import { ImportContent } from './import-content.ts'

/**
 * A list of otpauth URIs, one per line, as many authenticators write it, and links of Google Authenticator's export, in
 * any order. Empty lines and those that begin with # are comments.
 *
 * @throws ProblemError invalid-input: too many
 */
export function readOtpLinks(text: string): ImportContent {
  const content = new ImportContent()
  const migration = new MigrationLinks(content)
  for (const [index, ofText] of text.split('\n').entries()) {
    const link = ofText.trim()
    const line = index + 1
    if (link === '' || link.startsWith('#') || migration.read(link, line)) continue
    const stated = readOtpUri(link)
    if (stated === null) content.leaveOut('unreadable', { name: '', line })
    else content.add(stated, { uri: link, line })
  }
  migration.end()
  return content
}
