import type { Client } from 'ssh2'
import { z } from 'zod'
import type { Clock } from '../../domain/base/clock.ts'
import { quoteShellWord } from '../../domain/base/shell-words.ts'
import { execute } from '../ssh/connection/execute.ts'
import { parseJson } from '../../domain/base/json-value.ts'

/** A Jupyter server as it tells of itself. */
export interface Notebook {
  readonly scheme: 'http' | 'https'
  /** Path and query that lead into it: the path has only plain characters, the query is its token if it has one. */
  readonly entry: string
}

/** The files that `jupyter server list` reads, one JSON a line, the newest first; without the wait for Python. */
const script = [
  'd="${JUPYTER_RUNTIME_DIR:-${JUPYTER_DATA_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/jupyter}/runtime}"',
  'ls -t "$d"/jpserver-*.json "$d"/nbserver-*.json 2>/dev/null | head -n 20',
].join('; ')
const command = `exec sh -c ${quoteShellWord(
  `${script} | while IFS= read -r f; do tr -d "\\n" < "$f"; echo; done`,
)}`

const mostBytes = 64 * 1024
const patienceMs = 5_000

/** What the machine says becomes part of a link: nothing but plain paths and tokens. */
const server = z.looseObject({
  port: z.int(),
  secure: z.boolean().default(false),
  base_url: z
    .string()
    .max(500)
    .regex(/^\/(?:[\w~-][\w.~-]*\/)*(?:[\w~-][\w.~-]*)?$/)
    .default('/'),
  token: z
    .string()
    .max(512)
    .regex(/^[\w.~-]*$/)
    .default(''),
})

/** The server on that port of the machine, from what the machine's files about its servers say. */
export function notebookOn(port: number, listing: string): Notebook | null {
  for (const line of listing.split('\n')) {
    const parsed = server.safeParse(parseJson(line))
    if (!parsed.success || parsed.data.port !== port) continue
    const { secure, base_url: path, token } = parsed.data
    return { scheme: secure ? 'https' : 'http', entry: token === '' ? path : `${path}?token=${token}` }
  }
  return null
}

/**
 * Asks the machine for a Jupyter server on one of its ports; `null` when it has none there, or does not say so
 * within some seconds.
 *
 * @throws SshFailure channel-refused
 */
export async function findNotebook({
  client,
  port,
  clock,
  id,
}: {
  readonly client: Client
  readonly port: number
  readonly clock: Clock
  /** Of this question alone, as `execute` takes it. */
  readonly id: string
}): Promise<Notebook | null> {
  const enough = new AbortController()
  const patience = new AbortController()
  const give = (): void => enough.abort(new Error('the machine was asked long enough'))
  clock.sleep(patienceMs, patience.signal).then(give, () => undefined) // it has answered in time
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    await execute({
      client,
      command,
      clock,
      id,
      signal: enough.signal,
      onOutput: (stream, piece) => {
        if (stream === 'error') return
        bytes += piece.length
        if (bytes > mostBytes) give()
        else pieces.push(piece)
      },
    })
  } catch (error) {
    if (enough.signal.aborted) return null
    throw error
  } finally {
    patience.abort()
  }
  return enough.signal.aborted ? null : notebookOn(port, Buffer.concat(pieces).toString('utf8'))
}
