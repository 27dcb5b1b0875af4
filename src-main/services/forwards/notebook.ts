import { z } from 'zod'
import { parseJson } from '../../domain/base/json-value.ts'
import { quoteShellWord } from '../../domain/base/shell-words.ts'
import { briefAnswer, type BriefQuestion } from './brief-answer.ts'

/** A Jupyter server as it tells of itself. */
export interface Notebook {
  readonly scheme: 'http' | 'https'
  /** Path and query that lead into it: the path has only plain characters, the query is its token if it has one. */
  readonly entry: string
}

/** Lists the files that `jupyter server list` reads, the newest first; without the wait for Python. */
export const listRuntimeFiles = [
  'd="${JUPYTER_RUNTIME_DIR:-${JUPYTER_DATA_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/jupyter}/runtime}"',
  'ls -t "$d"/jpserver-*.json "$d"/nbserver-*.json 2>/dev/null | head -n 20',
].join('; ')
/** One JSON a line. */
const command = `exec sh -c ${quoteShellWord(
  `${listRuntimeFiles} | while IFS= read -r f; do tr -d "\\n" < "$f"; echo; done`,
)}`

const mostBytes = 64 * 1024

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
  port,
  ...question
}: Omit<BriefQuestion, 'command' | 'mostBytes'> & { readonly port: number }): Promise<Notebook | null> {
  const { text } = await briefAnswer({ ...question, command, mostBytes })
  return text === null ? null : notebookOn(port, text)
}
