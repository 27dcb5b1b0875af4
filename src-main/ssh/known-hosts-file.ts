import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseKnownHosts, type KnownHost } from './known-hosts.ts'

/** The app's own known_hosts, in OpenSSH's format; a user may edit it meanwhile, so it is read each time. */
export interface KnownHostsFile {
  readonly path: string
  /** Throws when it is there and cannot be read: then no host is known, and none may be trusted. */
  readonly read: () => Promise<KnownHost[]>
  /** On the disk when it resolves. */
  readonly append: (line: string) => Promise<void>
  /** Removes exactly these lines, if they still hold these keys. */
  readonly remove: (entries: readonly KnownHost[]) => Promise<void>
}

export function openKnownHosts(path: string): KnownHostsFile {
  let queue: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined) // its caller gets the error; the next one does not care
    return result
  }

  return {
    path,
    read: async () => parseKnownHosts(await readOrEmpty(path)),
    append: (line) =>
      inTurn(async () => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        const text = await readOrEmpty(path)
        const handle = await open(path, 'a', 0o600)
        try {
          await handle.appendFile(`${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`)
          await handle.sync()
        } finally {
          await handle.close()
        }
      }),
    remove: (entries) =>
      inTurn(async () => {
        const text = await readOrEmpty(path)
        const now = parseKnownHosts(text)
        const gone = new Set(
          entries
            .filter(({ line, key }) => now.some((entry) => entry.line === line && entry.key.equals(key)))
            .map(({ line }) => line),
        )
        const kept = text.split('\n').filter((_, index) => !gone.has(index + 1))
        await replace(path, kept.join('\n'))
      }),
  }
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

/** As a whole: after a crash there is either the former file or the new one. */
async function replace(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`
  const handle = await open(temporary, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, path)
}
