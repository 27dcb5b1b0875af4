import { formatPortMapping, parsePortMapping, type PortMapping, singlePorts } from './port-mapping.ts'
import { quoteShellWord, type ShellWord, splitShellWords } from '../base/shell-words.ts'

/** One thing that a container is run with. */
export type EnvItem =
  | { readonly kind: 'variable'; readonly name: string; readonly value: string }
  | ({ readonly kind: 'ports' } & PortMapping)
  /** What is neither, kept as it was written, with the reason in words. */
  | { readonly kind: 'other'; readonly text: string; readonly why: string }

/** The `env` of a create request (service API 4.4): variables, and port mappings as keys with the value `1`. */
export type Env = Readonly<Record<string, string>>

/**
 * Each port is spelled out in a request, and a line of flags may come from anybody: a few hundred characters could
 * stand for millions of ports.
 */
const mostPorts = 65_535

/** `-e K=V`, `-eK=V`, `--env K=V` and `--env=K=V`; the same with `-p` and `--publish`. */
const flagShape = /^(?:(-e|--env(?==|$))|(-p|--publish(?==|$)))/

/**
 * Reads flags as a container is run with (the `env` of a template, service API 2.2). Nothing is dropped: what
 * is neither a variable nor a port is an item of the kind `other`, and {@link writeEnvFlags} writes it back.
 */
export function readEnvFlags(line: string): readonly EnvItem[] {
  const { words, unfinished } = splitShellWords(line)
  const items: EnvItem[] = []
  let index = 0
  let ports = 0
  while (index < words.length) {
    const { item, taken } = readItem(words, index)
    const given = words.slice(index, index + taken)
    if (item.kind === 'ports') ports += item.count
    items.push(item.kind === 'ports' && ports > mostPorts ? tooManyPorts(given) : item)
    index += taken
  }
  if (unfinished !== '')
    items.push({ kind: 'other', text: unfinished, why: 'A quote or backslash isn’t closed.' })
  return items
}

/**
 * Whether what is neither a variable nor a port is another flag, such as `--shm-size 1g`: a template keeps it as it is
 * written (service API 2.2), and a request has no place for it.
 */
export function isOtherFlag(text: string): boolean {
  const { words, unfinished } = splitShellWords(text)
  const first = words[0]?.value ?? ''
  return unfinished === '' && first.startsWith('-') && !flagShape.test(first)
}

/** The items as flags, in their order. */
export function writeEnvFlags(items: readonly EnvItem[]): string {
  return items.map(writeItem).join(' ')
}

/** What a request can say of the items. Of two with one name the later one counts, as it does on a command line. */
export function envOfItems(items: readonly EnvItem[]): Env {
  return Object.fromEntries(items.flatMap(entriesOf))
}

/** The items that a request's `env` stands for. */
export function itemsOfEnv(env: Env): readonly EnvItem[] {
  return Object.entries(env).map(([name, value]) => {
    const ports = name.startsWith('-p ') && value === '1' ? parsePortMapping(name.slice(3)) : null
    if (ports) return { kind: 'ports', ...ports }
    const why = variableNameProblem(name)
    return why === null ? { kind: 'variable', name, value } : { kind: 'other', text: `${name}=${value}`, why }
  })
}

/** Why a name cannot be that of a variable; `null` when it can. */
export function variableNameProblem(name: string): string | null {
  if (name === '') return 'A variable needs a name.'
  if (name.startsWith('-')) return 'A name can’t begin with “-”.'
  // In JSON it would not be a field like others.
  if (name === '__proto__') return 'This name isn’t allowed.'
  return /[=\0]/.test(name) ? 'A name can’t contain “=”.' : null
}

interface Reading {
  readonly item: EnvItem
  /** How many words it takes up. */
  readonly taken: number
}

function readItem(words: readonly ShellWord[], index: number): Reading {
  const [word, next] = words.slice(index, index + 2)
  const [flag, variableFlag] = flagShape.exec(word?.value ?? '') ?? []
  if (word === undefined || flag === undefined) return readOther(words, index)
  const joined = word.value.slice(flag.length)
  const taken = joined === '' ? 2 : 1
  const given = joined === '' ? next?.value : joined.replace(/^=/, '')
  const text = textOf(words.slice(index, index + taken))
  if (given === undefined) return { item: { kind: 'other', text, why: 'The flag has no value.' }, taken: 1 }
  return { item: variableFlag === undefined ? readPorts(given, text) : readVariable(given, text), taken }
}

function readVariable(given: string, text: string): EnvItem {
  const equals = given.indexOf('=')
  if (equals === -1) return { kind: 'other', text, why: 'The variable has no value.' }
  const name = given.slice(0, equals)
  const value = given.slice(equals + 1)
  const why =
    variableNameProblem(name) ?? (value.includes('\0') ? 'The value contains a NUL character.' : null)
  return why === null ? { kind: 'variable', name, value } : { kind: 'other', text, why }
}

function readPorts(given: string, text: string): EnvItem {
  const ports = parsePortMapping(given)
  if (ports) return { kind: 'ports', ...ports }
  return {
    kind: 'other',
    text,
    why: 'Use <host>:<container>, or two ranges of the same length. Add /udp for UDP.',
  }
}

/** A flag that is not known, with the words that follow it: they may be its value. */
function readOther(words: readonly ShellWord[], index: number): Reading {
  let end = index + 1
  while (end < words.length && words[end]?.value.startsWith('-') === false) end += 1
  const text = textOf(words.slice(index, end))
  return { item: { kind: 'other', text, why: 'Only -e and -p are supported.' }, taken: end - index }
}

function tooManyPorts(words: readonly ShellWord[]): EnvItem {
  return { kind: 'other', text: textOf(words), why: `This exceeds the limit of ${mostPorts} ports.` }
}

function entriesOf(item: EnvItem): readonly (readonly [string, string])[] {
  switch (item.kind) {
    case 'variable':
      return [[item.name, item.value]]
    case 'ports':
      return singlePorts(item).map((port) => [`-p ${formatPortMapping(port)}`, '1'])
    case 'other':
      return []
  }
}

function textOf(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(' ')
}

function writeItem(item: EnvItem): string {
  switch (item.kind) {
    case 'variable':
      return `-e ${quoteShellWord(`${item.name}=${item.value}`)}`
    case 'ports':
      return `-p ${formatPortMapping(item)}`
    case 'other':
      return item.text
  }
}
