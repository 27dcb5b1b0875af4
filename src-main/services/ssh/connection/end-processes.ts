import type { Client, ClientChannel } from 'ssh2'

/**
 * `unknown`: the machine opens no second session, has no Linux /proc, or does not answer. `none`: there was nothing to
 * end, which may be because it has not begun.
 */
export type EndedProcesses = 'all' | 'some' | 'none' | 'unknown'

/**
 * The command as the machine gets it: with a mark by which its processes are found again. Whatever it starts inherits
 * that in its environment; the login shell has it on its command line. Such a line sh, bash, zsh and fish read the same.
 *
 * @param id of this command alone; letters, digits and dashes
 */
export function markedCommand(command: string, id: string): string {
  return `export SLIPWAY_RUN=${id}; ${command}`
}

/**
 * Ends the processes of a command: those that carry its mark, and all that have come from them, also where they have
 * emptied or overwritten their environment, or left their group. They get TERM once and have about two seconds; what
 * is left gets KILL. Ids are told with the time of their start, so that one that is given out again is nobody's.
 * How it exits: {@link outcomeOf}.
 */
const script = `
for tool in grep cut cat awk sleep; do command -v "$tool" >/dev/null || exit 3; done
[ -r /proc/self/stat ] || exit 3
# The pattern does not find itself.
mark="SLIPWAY_RUN[=]$1"

# look <id:start>…: those of the ones before that go on, and whatever belongs to them. A parent before its children:
# a script that waits for one would else end with it, before its own trap is heard.
look() {
  seeds=$(grep -ls "$mark" /proc/[0-9]*/environ /proc/[0-9]*/cmdline | cut -d/ -f3)
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v seeds="$(echo $seeds)" -v known="$*" '
    # A name in brackets may itself hold brackets and spaces; Z has ended.
    { pid = $1; sub(/.*[)] /, ""); if ($1 != "Z") { parent[pid] = $2; key[pid] = pid ":" $20 } }
    END {
      count = split(seeds, seed, " ")
      for (i = 1; i <= count; i++) if (seed[i] in parent) own[seed[i]] = 1
      count = split(known, one, " ")
      for (i = 1; i <= count; i++) { pid = one[i]; sub(/:.*/, "", pid); if (key[pid] == one[i]) own[pid] = 1 }
      do {
        more = 0
        for (pid in parent) if (!(pid in own) && (parent[pid] in own)) { own[pid] = 1; more = 1 }
      } while (more)
      do {
        more = 0
        for (pid in own) if (!(pid in told) && (!(parent[pid] in own) || (parent[pid] in told))) {
          print key[pid]
          told[pid] = more = 1
        }
      } while (more)
    }'
}

left=
for signal in TERM KILL; do
  round=0
  while [ "$round" -lt 8 ]; do
    found=$(echo $(look $left))
    if [ -z "$found" ]; then [ -n "$left" ] && exit 0; exit 4; fi
    left=$found
    # What begins after the first TERM is its doing: a trap that saves the work.
    case "$signal:$round" in TERM:0 | KILL:*)
      for each in $left; do kill -s "$signal" "\${each%%:*}" 2>/dev/null; done
    esac
    # Not every sleep takes a fraction.
    sleep 0.2 2>/dev/null || { sleep 1; round=$((round + 4)); }
    round=$((round + 1))
  done
done
[ -z "$(look $left)" ] || exit 5
`

function outcomeOf(exitCode: number | null | undefined): EndedProcesses {
  switch (exitCode) {
    case 0:
      return 'all'
    case 4:
      return 'none'
    case 5:
      return 'some'
    default:
      return 'unknown'
  }
}

/**
 * Ends what a marked command has started, in a session of its own beside it.
 *
 * @param id as {@link markedCommand} got it
 * @param signal gives it up: `unknown`
 */
export function endProcesses(client: Client, id: string, signal: AbortSignal): Promise<EndedProcesses> {
  return new Promise((resolve) => {
    let channel: ClientChannel | null = null
    const finish = (outcome: EndedProcesses): void => {
      signal.removeEventListener('abort', giveUp)
      resolve(outcome)
    }
    const giveUp = (): void => {
      channel?.close()
      finish('unknown')
    }
    signal.addEventListener('abort', giveUp)
    try {
      // On its input, which no login shell has a way of its own to read.
      client.exec(`exec sh -s ${id}`, (error, opened) => {
        if (error) return finish('unknown')
        channel = opened
        opened.on('close', (code?: number | null) => finish(outcomeOf(code)))
        opened.on('error', () => finish('unknown'))
        opened.resume()
        opened.stderr.resume()
        if (signal.aborted) opened.close()
        else opened.end(script)
      })
    } catch {
      // The connection has just gone, and with it the way to the command.
      finish('unknown')
    }
  })
}
