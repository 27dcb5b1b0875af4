import type { ConnectionLease } from '../../ssh/connection/connections.ts'
import { execute } from '../../ssh/connection/execute.ts'
import { SshFailure } from '../../ssh/failure.ts'
import type { Clock } from '../../../domain/base/clock.ts'

/** What the script may be asked. */
export type ScriptCommand =
  | { readonly kind: 'state' }
  /**
   * `script` is its text, `null` for the one that is there; `order` the lines that it reads. Both travel on the command's
   * input, where nobody lists them.
   */
  | { readonly kind: 'arm'; readonly script: string | null; readonly order: string }
  /** Takes the rules of all computers from it. */
  | { readonly kind: 'disarm' }

export interface AskScriptOptions {
  readonly lease: Pick<ConnectionLease, 'client'>
  readonly clock: Clock
  readonly randomId: () => string
  readonly signal: AbortSignal
}

/** A line that no script holds: what comes before it is the script, what comes after it the order. */
const scriptEnd = '# slipway: end of script'

/**
 * Looks for a folder that only this user can write to. One in a folder of all users counts only when it's the user's own.
 * Without a single quote, as the login shell, whichever it is, gets it between two.
 */
const chooseFolder = `
umask 077
unset SLIPWAY_RUN
uid=$(id -u)
for dir in "$HOME/.slipway" "\${TMPDIR:-/tmp}/slipway-$uid" "/tmp/slipway-$uid"; do
  mkdir -p "$dir" 2>/dev/null && [ ! -L "$dir" ] && [ -O "$dir" ] && [ -w "$dir" ] && chmod 700 "$dir" 2>/dev/null && break
  dir=
done
[ -n "$dir" ] || { echo "{\\"armed\\":false,\\"why\\":\\"read-only\\"}"; exit; }
`

/** Half a script, of a link that broke, doesn't take the place of the former one. */
const place = `
part="$dir/guard.$$"
(
  while IFS= read -r line; do
    [ "$line" = "${scriptEnd}" ] && exit 0
    printf "%s\\n" "$line" || exit 2
  done
  exit 1
) >"$part" 2>/dev/null
case $? in
  0) mv -f "$part" "$dir/guard.sh" || exit ;;
  1) rm -f "$part"; exit ;;
  *) rm -f "$part"; echo "{\\"armed\\":false,\\"why\\":\\"disk-full\\"}"; exit ;;
esac
`

/** One that was deleted while it watched goes on watching, and nobody can ask it: that is no answer. */
const missing = `[ -f "$dir/guard.sh" ] || { [ -d "$dir/lock" ] || echo "{\\"armed\\":false,\\"why\\":\\"not-armed\\",\\"placed\\":false}"; exit; }\n`

/** More than any state: what comes after it is a stranger's. */
const longestAnswer = 64 * 1024
/** The script asks the service once before it answers, and gives up on that after some 20 s. */
const answerWithinMs = 60_000

/**
 * Asks the script on an instance, over one channel and without SFTP.
 *
 * @returns the last line it wrote; empty when it wrote none
 * @throws SshFailure channel-refused; link-lost, timeout when no answer came; or the signal's reason before the command
 *   has begun
 */
export async function askScript(
  command: ScriptCommand,
  { lease, clock, randomId, signal }: AskScriptOptions,
): Promise<string> {
  const over = new AbortController()
  const whole = AbortSignal.any([signal, over.signal])
  const decoder = new TextDecoder()
  let text = ''
  void clock.sleep(answerWithinMs, whole).then(
    () => over.abort(new SshFailure({ kind: 'timeout' })),
    () => undefined, // it has answered
  )
  try {
    const { code } = await execute({
      client: lease.client,
      command: commandLine(command),
      ...(command.kind === 'arm' && { input: inputOf(command) }),
      ...{ id: randomId(), clock, signal: whole },
      onOutput: (stream, bytes) => {
        if (stream === 'out' && text.length < longestAnswer) text += decoder.decode(bytes, { stream: true })
      },
    })
    whole.throwIfAborted()
    // A link that was cut says nothing of the script.
    if (code === null && text === '') throw new SshFailure({ kind: 'link-lost', detail: { code: 'closed' } })
  } finally {
    over.abort()
  }
  return text.trimEnd().split('\n').at(-1) ?? ''
}

function inputOf({ script, order }: Extract<ScriptCommand, { kind: 'arm' }>): string {
  return script === null ? order : `${script}\n${scriptEnd}\n${order}`
}

function commandLine(command: ScriptCommand): string {
  const { kind } = command
  const steps = chooseFolder + (kind === 'arm' && command.script !== null ? place : missing)
  return `exec sh -c '${steps}SLIPWAY_DIR="$dir" exec sh "$dir/guard.sh" ${kind}'`
}
