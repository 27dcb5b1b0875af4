import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { SerialQueue } from '../../../domain/base/serial-queue.ts'
import { ifThere } from '../../storage/disk.ts'
import type { SshAddress } from '../../../domain/ssh/ssh.ts'
import { hostsWithout, parseKnownHosts, type KnownHost } from './known-hosts.ts'

/** The app's own known_hosts, in OpenSSH's format; a user may edit it meanwhile, so it is read each time. */
export interface KnownHostsFile {
  readonly path: string
  /** Throws when it is there and cannot be read: then no host is known, and none may be trusted. */
  readonly read: () => Promise<KnownHost[]>
  /**
   * Appends what `choose` makes of the keys that are there; nothing else is written in between. On the disk when it
   * resolves, to the lines.
   */
  readonly appendBy: (
    choose: (known: readonly KnownHost[]) => readonly string[],
  ) => Promise<readonly string[]>
  /**
   * Removes exactly these lines, if they still hold these keys. A line for several hosts stays for the others: it's made to
   * leave out this address.
   */
  readonly remove: (entries: readonly KnownHost[], address: SshAddress) => Promise<void>
}

/** One queue for each file, however often it is opened: a removal writes the whole file anew. */
const queueOf = new Map<string, SerialQueue>()

/** The file need not be there: the first key makes it. */
export function openKnownHosts(path: string): KnownHostsFile {
  const queue = queueOf.get(resolve(path)) ?? new SerialQueue()
  queueOf.set(resolve(path), queue)
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => queue.take(work)

  async function append(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const text = await readOrEmpty(path)
    const handle = await open(path, 'a', 0o600)
    try {
      const before = text === '' || text.endsWith('\n') ? '' : '\n'
      await handle.appendFile(`${before}${lines.join('\n')}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  return {
    path,
    read: async () => parseKnownHosts(await readOrEmpty(path)),
    appendBy: (choose) =>
      inTurn(async () => {
        const lines = choose(parseKnownHosts(await readOrEmpty(path)))
        await append(lines)
        return lines
      }),
    remove: (entries, address) =>
      inTurn(async () => {
        const text = await readOrEmpty(path)
        const now = parseKnownHosts(text)
        const gone = new Map(
          now
            .filter((entry) => entries.some(({ line, key }) => entry.line === line && entry.key.equals(key)))
            .map(({ line, hosts }) => [line, hosts]),
        )
        const kept = text.split('\n').flatMap((line, index) => {
          const hosts = gone.get(index + 1)
          if (hosts === undefined) return [line]
          const left = hostsWithout(hosts, address)
          return left === null ? [] : [line.replace(hosts, () => left)]
        })
        await replace(path, kept.join('\n'))
      }),
  }
}

async function readOrEmpty(path: string): Promise<string> {
  return (await ifThere(readFile(path, 'utf8'))) ?? ''
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
