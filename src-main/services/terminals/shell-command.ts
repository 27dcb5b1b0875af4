import { assertNever } from '../../domain/base/assert-never.ts'
import { sessionMadeOsc, sessionMissingOsc, type ShellWish } from '../../domain/terminals/shell-wish.ts'
import { quoteShellWord } from '../../domain/base/shell-words.ts'

/**
 * The command line that brings a terminal into its session, or its shell into a folder; `null` for a login shell
 * at home. Without the program on the machine it is a login shell all the same, which says so, to Slipway too: better
 * than none. So it is with a folder that is not there any more.
 *
 * @param folder as `shellFolder` allows it
 */
export function shellCommand(wish: ShellWish, folder: string | null): string | null {
  const place = folder === null ? [] : [`cd -- ${quoteShellWord(folder)}`]
  switch (wish.kind) {
    case 'plain':
      return folder === null ? null : inSh([...place, loginShell].join('; '))
    case 'tmux': {
      const name = quoteShellWord(wish.session)
      const session = [
        `tmux has-session -t =${name} 2>/dev/null || ${tellMade}`,
        `exec tmux -u new-session -A -s ${name}`,
      ].join('; ')
      return inSh([...place, orLoginShell('tmux', session)].join('; '))
    }
    case 'screen': {
      const session = screenSession(quoteShellWord(wish.session))
      return inSh([...place, orLoginShell('screen', session)].join('; '))
    }
    default:
      return assertNever(wish)
  }
}

/**
 * What belongs into a new shell, and not into one that is come back to, waits for this. As tmux and screen begin, they
 * throw away (`tcflush`) what the kernel of a busy machine has not passed on yet, and there is no way to ask it whether
 * it has (`tcdrain` does not wait on a pseudo terminal): it is given some time. Not every `sleep` knows fractions.
 */
const tellMade = `{ printf "\\033]${sessionMadeOsc};\\007"; sleep 0.1 2>/dev/null || sleep 1; }`

const loginShell = 'exec "${SHELL:-/bin/sh}" -l'

/** The user's shell, which reads it first, may be fish or csh: they take one word in single quotes, too. */
function inSh(script: string): string {
  return `exec sh -c ${quoteShellWord(script)}`
}

/**
 * screen takes a name for any that begins like it, so the session is looked up by its whole name, and taken from
 * where it is attached: that may be a connection that is lost.
 */
function screenSession(name: string): string {
  return [
    `id=$(screen -ls | sed -n "s/^[[:space:]]*\\([0-9]*\\.${name}\\)[[:space:]].*/\\1/p" | head -n 1)`,
    'if [ -n "$id" ]; then exec screen -U -D -r "$id"; fi',
    tellMade,
    `exec screen -U -S ${name}`,
  ].join('; ')
}

function orLoginShell(program: string, session: string): string {
  const missing = `${program} is not installed on this instance. This is a plain shell, which ends with its connection.`
  return [
    `if command -v ${program} >/dev/null 2>&1; then ${session}; fi`,
    `printf "\\033]${sessionMissingOsc};\\007\\033[33m%s\\033[0m\\r\\n" "${missing}"`,
    loginShell,
  ].join('; ')
}
