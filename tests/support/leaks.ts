import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A secret as it may stand in a text or a file: plain, in JSON, in an address, as hex, and inside of base64. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const wide = Buffer.from(secret, 'utf16le')
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    wide.toString('latin1'),
    bytes.toString('latin1'),
    // Inside base64 the neighbors change the ends.
    ...['base64', 'base64url'].flatMap((encoding) =>
      ['', ' ', '  '].map((before) =>
        Buffer.concat([Buffer.from(before), bytes])
          .toString(encoding as 'base64')
          .slice(4, 4 + Math.max(8, Math.floor((secret.length * 4) / 3) - 8)),
      ),
    ),
  ]
}

/** Which of the secrets, by their names, are in one of the texts in any form. */
export function secretsIn(secrets: ReadonlyMap<string, string>, texts: readonly string[]): string[] {
  return [...secrets].flatMap(([name, secret]) =>
    formsOf(secret).some((form) => texts.some((text) => text.includes(form))) ? [name] : [],
  )
}

/** Everything in the files below a folder, byte by byte. */
export async function filesBelow(folder: string): Promise<string[]> {
  for (;;) {
    try {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile())
      return await Promise.all(
        files.map(
          async ({ parentPath, name }) => `${name}\n${await readFile(join(parentPath, name), 'latin1')}`,
        ),
      )
    } catch (error) {
      // A file that goes away meanwhile may have got another name, with all that is in it: look again.
      if (!isMissing(error) || !existsSync(folder)) throw error
    }
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
