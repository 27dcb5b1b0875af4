import type { ScriptExecution } from '../../ssh/scripts/ask-script.ts'
import { chooseFolder, scriptEnd } from '../../ssh/scripts/own-folder.ts'

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

const folder = chooseFolder({ refusal: { armed: false, why: 'read-only' } })

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

/** The line for the user's login shell, and what the command reads. */
export function executionOf(command: ScriptCommand): ScriptExecution {
  const { kind } = command
  const before = kind === 'disarm' ? disarmWithoutScript + missing : missing
  const run = (steps: string): string => `exec sh -c '${folder}${steps}exec sh "$dir/guard.sh" ${kind}'`
  if (kind !== 'arm') return { command: run(before) }
  const { script, order } = command
  return script === null
    ? { command: run(missing), input: order }
    : { command: run(place), input: `${script}\n${scriptEnd}\n${order}` }
}
