/** A line that no script holds: on a command's input, what comes before it is the script, what comes after it the rest. */
export const scriptEnd = '# slipway: end of script'

/**
 * Shell lines that look for a folder on an instance that only its user can write to, and leave it in `$dir`: where a
 * watcher of guards lives, also if nothing can be written to there any more; else where its script lies; else one that can
 * be made. One in a folder of all users counts only when it's the user's own. Without a single quote, as the login shell,
 * whichever it is, gets them between two.
 *
 * @param own a test that comes before these, with the lines of a function of its name, which gets the folder
 * @param refusal a line of JSON for where there is no such folder
 */
export function chooseFolder({
  own = { name: '', lines: '' },
  refusal,
}: {
  readonly own?: { readonly name: string; readonly lines: string }
  readonly refusal: object
}): string {
  const line = JSON.stringify(refusal).replaceAll('"', String.raw`\"`)
  return `
umask 077
# What is started is to outlive this command, by whose mark the rest is ended. A server with a forced command tells it twice.
unset SLIPWAY_RUN SSH_ORIGINAL_COMMAND
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
${own.lines}
for test in ${own.name} lives lies ours; do
  for dir in "$HOME/.slipway" "\${TMPDIR:-/tmp}/slipway-$uid" "\${SLIPWAY_ROOT:-}/tmp/slipway-$uid"; do
    [ "$test" = ours ] && mkdir -p "$dir" 2>/dev/null
    [ ! -L "$dir" ] && [ -O "$dir" ] && $test "$dir" && break 2
    dir=
  done
done
[ -n "$dir" ] || { echo "${line}"; exit; }
`
}
