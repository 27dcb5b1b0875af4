/** What a flag string says, as the `env` object of a create request, or what is wrong with it. */
export type EnvReading =
  | { readonly kind: 'env'; readonly env: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong'; readonly problem: string }

type Words = { readonly kind: 'words'; readonly words: readonly string[] } | Wrong
type Entries = { readonly kind: 'entries'; readonly entries: readonly (readonly [string, string])[] } | Wrong
type Wrong = Extract<EnvReading, { kind: 'wrong' }>

const wrong = (problem: string): Wrong => ({ kind: 'wrong', problem })

/** The last of a machine's ports; more than there are cannot be mapped either. */
export const HIGHEST_PORT = 65_535

/**
 * Converts the `env` of a template (service API 2.2: flags as a container is run with) into the `env` of a create
 * request (service API 4.4): a variable for each `-e NAME=value`, a `-p <host_port>:<container_port>` for each port.
 *
 * The long forms `--env` and `--publish`, values joined to their flag, ranges of ports and `/tcp` and `/udp` are known;
 * words are quoted as for a POSIX shell, and nothing is expanded. Every other flag, with the words behind it, says
 * nothing about the environment.
 */
export function readEnvFlags(flags: string): EnvReading {
  const split = splitWords(flags)
  if (split.kind === 'wrong') return split
  const env = new Map<string, string>()
  let count = 0
  const words = split.words[Symbol.iterator]()
  let isBehindOtherFlag = false
  for (const word of words) {
    const [, short, joined = '', long, assigned] =
      /^(?:(-[ep])=?(.*)|(--env|--publish)(?:=(.*))?)$/s.exec(word) ?? []
    const flag = short ?? long
    if (flag === undefined) {
      isBehindOtherFlag ||= word.startsWith('-')
      if (!isBehindOtherFlag) return wrong(`expected a flag, received ${JSON.stringify(word)}`)
      continue
    }
    isBehindOtherFlag = false
    const value = short === undefined ? assigned : joined === '' ? undefined : joined
    const given = value ?? words.next().value
    if (given === undefined) return wrong(`${flag} has no value`)
    const read = flag === '-e' || flag === '--env' ? readVariable(given) : readPorts(given)
    if (read.kind === 'wrong') return read
    for (const [name, text] of read.entries) env.set(name, text)
    // Repeated ones count too, as each of them takes its time.
    count += read.entries.length
    if (count > HIGHEST_PORT) return wrong(`more than ${String(HIGHEST_PORT)} entries`)
  }
  return { kind: 'env', env: Object.fromEntries(env) }
}

function readVariable(text: string): Entries {
  const [, name, value] = /^([^-=\0][^=\0]*)=([^\0]*)$/.exec(text) ?? []
  if (name === undefined || value === undefined)
    return wrong(`-e ${JSON.stringify(text)}: expected NAME=<value>`)
  return { kind: 'entries', entries: [[name, value]] }
}

function readPorts(text: string): Entries {
  const pattern = /^([1-9]\d{0,4})(?:-([1-9]\d{0,4}))?:([1-9]\d{0,4})(?:-([1-9]\d{0,4}))?(\/tcp|\/udp)?$/
  const [, host, hostEnd = host, container, containerEnd = container, protocol = ''] =
    pattern.exec(text) ?? []
  const count = Number(hostEnd) - Number(host) + 1
  const isRange = count >= 1 && Number(containerEnd) - Number(container) + 1 === count
  if (!isRange || Number(hostEnd) > HIGHEST_PORT || Number(containerEnd) > HIGHEST_PORT) {
    return wrong(
      `-p ${JSON.stringify(text)}: expected <host_port>:<container_port>, or two ranges of one length`,
    )
  }
  const entries = Array.from({ length: count }, (_, index) => {
    const mapping = `${String(Number(host) + index)}:${String(Number(container) + index)}`
    return [`-p ${mapping}${protocol}`, '1'] as const
  })
  return { kind: 'entries', entries }
}

/** Takes a line apart as a POSIX shell does, without expanding anything (Shell Command Language 2.2). */
function splitWords(line: string): Words {
  const piece = /(\s+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/suy
  const words: string[] = []
  let word: string | null = null
  while (piece.lastIndex < line.length) {
    const at = piece.lastIndex
    const match = piece.exec(line)
    if (match === null) return wrong(`a quote or a backslash at character ${String(at + 1)} has no end`)
    const [, space, single, double, escaped, plain] = match
    if (space !== undefined) {
      if (word !== null) words.push(word)
      word = null
    } else if (escaped === '\n') {
      // A line that goes on in the next one.
      continue
    } else {
      word = (word ?? '') + (single ?? double?.replace(/\\([$`"\\\n])/g, unescape) ?? escaped ?? plain ?? '')
    }
  }
  if (word !== null) words.push(word)
  return { kind: 'words', words }
}

const unescape = (_match: string, character: string): string => (character === '\n' ? '' : character)
