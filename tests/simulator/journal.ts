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
  /** Kind of the fault that was played on this request, if any. */
  readonly fault: string | null
}

/** What is filled in while the request is worked on. */
export type OpenEntry = { -readonly [Field in keyof JournalEntry]: JournalEntry[Field] }

export interface Journal {
  open(entry: Pick<JournalEntry, 'at' | 'method' | 'path' | 'body'>): OpenEntry
  entries(): readonly JournalEntry[]
}

const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'secret',
  'code',
  'backup_code',
  'access_key',
  'secret_access_key',
  'application_key',
  'docker_login_pass',
])
const SECRET_LOOKING = /key|token|secret|passw|credential/i

export function createJournal(): Journal {
  const entries: OpenEntry[] = []
  return {
    open(entry) {
      const opened: OpenEntry = {
        ...entry,
        body: maskSecrets(entry.body),
        status: null,
        key: null,
        fault: null,
      }
      entries.push(opened)
      return opened
    },
    entries: () => structuredClone(entries),
  }
}

function maskSecrets(value: unknown, insideEnv = false): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => maskSecrets(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => {
      const isSecret = SECRET_FIELDS.has(name) || (insideEnv && SECRET_LOOKING.test(name))
      return [name, isSecret ? '***' : maskSecrets(inner, name === 'env')]
    }),
  )
}
