import { maskBody } from './journal-mask.ts'

/** One request that the service got, as tests see it. */
export interface JournalEntry {
  /** Simulated time of arrival, in seconds since the epoch. */
  readonly at: number
  readonly method: string
  /** Path with its query, if it had one. */
  readonly path: string
  /** The JSON body with its secrets masked, `null` if there was none. */
  readonly body: unknown
  /** Status of the reply; null while it is worked on, and for ever if the connection was reset instead. */
  readonly status: number | null
  /** Name of the fixture whose key was used, `instance` for an instance's own key, null for no valid key. */
  readonly key: string | null
  /** The session whose key was used in its stead, if any. */
  readonly session: 'user' | 'admin' | null
  /** Kind of the fault that was played on this request, if any. */
  readonly fault: string | null
}

/** What is filled in while the request is worked on. */
export type OpenEntry = { -readonly [Field in keyof JournalEntry]: JournalEntry[Field] }

export interface Journal {
  open(entry: Pick<JournalEntry, 'at' | 'method' | 'path' | 'body'>): OpenEntry
  entries(): readonly JournalEntry[]
}

export function createJournal(): Journal {
  const entries: OpenEntry[] = []
  return {
    open(entry) {
      const opened: OpenEntry = {
        ...entry,
        body: maskBody(entry.path, entry.body),
        status: null,
        key: null,
        session: null,
        fault: null,
      }
      entries.push(opened)
      return opened
    },
    entries: () => structuredClone(entries),
  }
}
