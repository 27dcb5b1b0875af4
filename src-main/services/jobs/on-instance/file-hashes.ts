import { execute } from '../../ssh/connection/execute.ts'
import { createDeadline } from '../../ssh/deadline.ts'
import { SshFailure } from '../../ssh/failure.ts'
import type { AskScriptOptions } from '../../ssh/scripts/ask-script.ts'
import { executionOf } from './job-script.ts'
import { MarkedOutput } from './marked-output.ts'

/** As many as one command is asked for. */
const mostAtOnce = 1000
/** A disk reads hundreds of gigabytes in that time; one that hangs would never tell. */
const quietMs = 60 * 60_000
/** Of hex digits, and the end of the line. */
const lineLength = 65

export interface HashOptions extends AskScriptOptions {
  readonly script: string
  readonly folder: string
  /** From the folder on. None is empty, and none holds a NUL: no file has such a name. */
  readonly paths: readonly string[]
}

/**
 * The sha256 of files on an instance, by their paths. A file that can't be read has none; without a tool, none has. As long
 * as reading them takes, there is no answer.
 *
 * @throws SshFailure channel-refused, link-lost, timeout; or the signal's reason
 */
export async function hashFiles(options: HashOptions): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (let at = 0; at < options.paths.length; at += mostAtOnce) {
    const paths = options.paths.slice(at, at + mostAtOnce)
    for (const [path, hash] of await hashSome({ ...options, paths })) found.set(path, hash)
  }
  return found
}

async function hashSome(options: HashOptions): Promise<readonly (readonly [string, string])[]> {
  const { lease, clock, randomId, signal, script, folder, paths } = options
  const mark = randomId()
  const output = new MarkedOutput(mark)
  let text = ''
  const over = new AbortController()
  const whole = AbortSignal.any([signal, over.signal])
  const quiet = createDeadline(clock, quietMs, () => over.abort(new SshFailure({ kind: 'timeout' })))
  quiet.start()
  const { code } = await execute({
    client: lease.client,
    ...executionOf({ kind: 'sums', folder, paths, mark }, script),
    ...{ id: randomId(), clock, signal: whole },
    onOutput: (stream, bytes) => {
      quiet.start()
      if (stream !== 'out' || text.length > paths.length * lineLength) return
      text += Buffer.from(output.take(bytes)).toString('latin1')
    },
  }).finally(quiet.stop)
  whole.throwIfAborted()
  if (code === null) throw new SshFailure({ kind: 'link-lost', detail: { code: 'closed' } })
  // A line for each, in their order: names may hold whatever ends lines.
  const lines = text.split('\n')
  return paths.flatMap((path, index) => {
    const hash = lines[index] ?? ''
    return /^[0-9a-f]{64}$/.test(hash) ? [[path, hash] as const] : []
  })
}
