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
    // Inside base64 the neighbours change the ends.
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

/** Everything in the files below a folder, byte by byte; of one that is taken away meanwhile, its name. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(
    files.map(async ({ parentPath, name }) => `${name}\n${await contentOf(join(parentPath, name))}`),
  )
}

async function contentOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
