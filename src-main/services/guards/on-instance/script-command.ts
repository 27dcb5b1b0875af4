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
 * Looks for a folder that only this user can write to: where a watcher lives, also if nothing can be written to there any
 * more; else where the script lies; else one that can be made. One in a folder of all users counts only when it's the
 * user's own. Without a single quote, as the login shell, whichever it is, gets it between two.
 */
const chooseFolder = `
umask 077
unset SLIPWAY_RUN
uid=$(id -u)
lives() {
  { read -r pid start <"$1/lock/pid"; } 2>/dev/null && case $(cat "/proc/$pid/stat" 2>/dev/null) in
    *") Z "*) false ;;
    *" $start "*) ;;
    *) false ;;
  esac
}
lies() { [ -f "$1/guard.sh" ] && ours "$1"; }
# For some shells, all that root owns is writable by -w, also on a read-only disk.
ours() { [ -w "$1" ] && chmod 700 "$1" 2>/dev/null; }
for test in lives lies ours; do
  for dir in "$HOME/.slipway" "\${TMPDIR:-/tmp}/slipway-$uid" "\${SLIPWAY_ROOT:-}/tmp/slipway-$uid"; do
    [ "$test" = ours ] && mkdir -p "$dir" 2>/dev/null
    [ ! -L "$dir" ] && [ -O "$dir" ] && $test "$dir" && break 2
    dir=
  done
done
[ -n "$dir" ] || { echo "{\\"armed\\":false,\\"why\\":\\"read-only\\"}"; exit; }
`

/** Half a script, of a link that broke, doesn't take the place of the former one. */
const place = `
part="$dir/guard.$$"
touch "$part" 2>/dev/null || { echo "{\\"armed\\":false,\\"why\\":\\"read-only\\"}"; exit; }
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

/** Where only the script was taken away, its watcher goes on, and what that wrote last is told. */
const missing = `
if [ ! -f "$dir/guard.sh" ]; then
  if lives "$dir" && { read -r _ && read -r line; } <"$dir/state"; then
    read -r now _ </proc/uptime
    echo "{$line,\\"running\\":true,\\"now\\":\${now%%.*}}"
  else
    echo "{\\"armed\\":false,\\"why\\":\\"not-armed\\",\\"placed\\":false}"
  fi
  exit
fi
`

/** A watcher ends once its lock has gone. */
const disarmWithoutScript = `
[ -f "$dir/guard.sh" ] || rm -rf "$dir/lock" "$dir/orders" "$dir/progress" "$dir/keys" "$dir/state"
`

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
      ...executionOf(command),
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

/** The line for the user's login shell, and what the command reads. */
export function executionOf(command: ScriptCommand): { readonly command: string; readonly input?: string } {
  const { kind } = command
  const before = kind === 'disarm' ? disarmWithoutScript + missing : missing
  const run = (steps: string): string => `exec sh -c '${chooseFolder}${steps}exec sh "$dir/guard.sh" ${kind}'`
  if (kind !== 'arm') return { command: run(before) }
  const { script, order } = command
  return script === null
    ? { command: run(missing), input: order }
    : { command: run(place), input: `${script}\n${scriptEnd}\n${order}` }
}
