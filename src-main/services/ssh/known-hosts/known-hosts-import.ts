import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { ImportableHostKey, KnownHostsPreview } from '../../../domain/ssh/known-hosts-import.ts'
import { invalidInput } from '../../../domain/base/problem.ts'
import type { HostKey, SshAddress } from '../../../domain/ssh/ssh.ts'
import { ifThere, orStorageFailed } from '../../storage/disk.ts'
import type { KnownHostsFile } from './known-hosts-file.ts'
import { hostName, matchesHosts, parseKnownHosts, trustedOf, type KnownHost } from './known-hosts.ts'
import { fingerprintOf } from '../protocol/public-key.ts'

export interface KnownHostsImport {
  /** @throws ProblemError storage-failed when a file cannot be read */
  readonly preview: () => Promise<KnownHostsPreview>
  /** @throws ProblemError invalid-input when the file has changed since it was shown, storage-failed */
  readonly take: (digest: string) => Promise<{ readonly taken: number }>
}

/** Longer than any such file; a device must not be read without end. */
const longest = 8 * 1024 * 1024

/** An instance, and where it is by the service's list. */
export interface ListedPlaces {
  readonly instanceId: number
  readonly addresses: readonly SshAddress[]
}

/** Takes keys over from the user's own known_hosts, which is only ever read. */
export function createKnownHostsImport({
  userFile,
  own,
  places,
  accept,
}: {
  /** `~/.ssh/known_hosts` */
  readonly userFile: string
  /** Where instances are now: only by a name that is known can two hashed ones be compared. */
  readonly places: () => readonly ListedPlaces[]
  /** The user trusts this key for the instance that has its address now. Does not throw. */
  readonly accept: (instanceId: number, keys: readonly HostKey[]) => Promise<void>
  readonly own: Pick<KnownHostsFile, 'path' | 'read' | 'appendBy'>
}): KnownHostsImport {
  async function look(): Promise<{ digest: string; entries: readonly KnownHost[] }> {
    const text = await orStorageFailed(userFile, () => readBounded(userFile))
    return { digest: createHash('sha256').update(text).digest('base64'), entries: parseKnownHosts(text) }
  }

  function foundAmong(entries: readonly KnownHost[], owned: readonly KnownHost[]): readonly Found[] {
    const known = places().flatMap(({ addresses }) => addresses.map(hostName))
    const named = owned.map((each) => ({
      ...each,
      names: [...namesOf(each.hosts), ...known.filter((name) => matchesHosts(each.hosts, name))],
    }))
    return entries.map((entry) => ({ entry, standing: standingOf(entry, named) }))
  }

  return {
    preview: async () => {
      const { digest, entries } = await look()
      const owned = await orStorageFailed(own.path, () => own.read())
      return { file: userFile, digest, keys: foundAmong(entries, owned).map(shown) }
    },
    take: async (digest) => {
      const now = await look()
      if (now.digest !== digest) throw invalidInput('digest', { code: 'changed' })
      let taken: readonly KnownHost[] = []
      // By what is there when it is written: a key may be trusted or forgotten at the same moment.
      const lines = await orStorageFailed(own.path, () =>
        own.appendBy((owned) => {
          const found = foundAmong(now.entries, owned).filter(({ standing }) => standing === 'new')
          taken = found.map(({ entry }) => entry)
          return [...new Set(taken.map(lineOf))]
        }),
      )
      for (const { instanceId, addresses } of places())
        await accept(
          instanceId,
          addresses
            .flatMap((address) => trustedOf(taken, address))
            .map(({ algorithm, key }) => ({ algorithm, fingerprint: fingerprintOf(key) })),
        )
      return { taken: lines.length }
    },
  }
}

interface Found {
  readonly entry: KnownHost
  readonly standing: ImportableHostKey['standing']
}

/** One of Slipway's own, with what is known of the names that it stands for. */
interface NamedHost extends KnownHost {
  readonly names: readonly string[]
}

function standingOf(entry: KnownHost, owned: readonly NamedHost[]): Found['standing'] {
  if (owned.some((each) => lineOf(each) === lineOf(entry))) return 'there'
  const differs = owned.some(
    (each) =>
      entry.marker === null &&
      each.marker === null &&
      each.algorithm === entry.algorithm &&
      !each.key.equals(entry.key) &&
      (each.names.some((name) => matchesHosts(entry.hosts, name)) ||
        namesOf(entry.hosts).some((name) => matchesHosts(each.hosts, name))),
  )
  return differs ? 'differs' : 'new'
}

/** None of a hashed name; a pattern stands for itself. */
function namesOf(hosts: string): readonly string[] {
  return hosts.startsWith('|') ? [] : hosts.split(',').filter((name) => !name.startsWith('!'))
}

/** The entry without its comment; a hashed name and a marker stay what they are. */
function lineOf({ marker, hosts, algorithm, key }: KnownHost): string {
  return [...(marker === null ? [] : [`@${marker}`]), hosts, algorithm, key.toString('base64')].join(' ')
}

function shown({ entry: { hosts, marker, algorithm, key }, standing }: Found): ImportableHostKey {
  const fingerprint = fingerprintOf(key)
  return { hosts: hosts.startsWith('|') ? null : hosts, marker, algorithm, fingerprint, standing }
}

/** Empty when there is no such file. */
async function readBounded(path: string): Promise<string> {
  const found = await ifThere(stat(path))
  if (found === null) return ''
  if (!found.isFile() || found.size > longest) throw new Error('it is no known_hosts file')
  return (await ifThere(readFile(path, 'utf8'))) ?? ''
}
