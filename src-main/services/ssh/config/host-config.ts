import SSHConfig, { type Line } from 'ssh-config'
import { parseJumpHosts, type JumpHost } from '../../../domain/ssh/jump-host.ts'
import { parseHost, parsePort } from '../../../domain/ssh/network-address.ts'
import { fitsPattern } from '../known-hosts/known-hosts.ts'

/** What a user's ssh_config(5) says about one host, as far as Slipway goes by it. */
export interface HostConfig {
  /** `null` when no block that names the host gives one: what holds for every host is not meant for a rented one. */
  readonly user: string | null
  /** As written, after tokens; `~/` stands for the home folder. In the order in which they are tried. */
  readonly identityFiles: readonly string[]
  /** Of the agent's keys only those that an identity file names. */
  readonly identitiesOnly: boolean
  /** `null` when nothing is said. */
  readonly via: ConfiguredRoute | null
  /** ForwardAgent; it is offered to the user, and does nothing by itself. */
  readonly forwardAgent: boolean
  /** Why the configuration could not be gone by; `null` when all is well. Begins with "it". */
  readonly trouble: string | null
}

/** What ProxyJump or ProxyCommand say, whichever comes first. */
export type ConfiguredRoute =
  | { readonly kind: 'direct' }
  | { readonly kind: 'jump'; readonly hosts: readonly JumpHost[] }
  /** A ProxyJump that cannot be read. */
  | { readonly kind: 'unclear'; readonly text: string }
  /** A ProxyCommand. It is not run. */
  | { readonly kind: 'command' }

/** What it says about a jump host, which the user named: where it is counts as well. */
export interface JumpHostConfig extends HostConfig {
  readonly hostName: string | null
  readonly port: number | null
}

export const noHostConfig: HostConfig = {
  user: null,
  identityFiles: [],
  identitiesOnly: false,
  via: null,
  forwardAgent: false,
  trouble: null,
}

export interface HostConfigQuestion {
  /** All names that the host goes by. */
  readonly names: readonly string[]
  /** The user to log in as when the configuration says nothing. */
  readonly user: string
  readonly localUser: string
  readonly homeFolder: string
  /** The texts of the files that an Include names, in order. */
  readonly include: (pattern: string) => Promise<readonly string[]>
}

/** As in OpenSSH. */
export const deepestInclude = 16

/** @throws when the text, or one that it includes, cannot be parsed */
export async function hostConfigOf(text: string, question: HostConfigQuestion): Promise<HostConfig> {
  const reading = new Reading(question)
  await reading.add(text, { isNamed: false, depth: 0 })
  return reading.result()
}

/** As {@link hostConfigOf}, about a host that the user named: what holds for every host is meant for it too. */
export async function jumpHostConfigOf(text: string, question: HostConfigQuestion): Promise<JumpHostConfig> {
  const reading = new Reading(question)
  await reading.add(text, { isNamed: true, depth: 0 })
  return { ...reading.result(), ...reading.place() }
}

interface Place {
  /** Whether what stands here is for hosts that are named, as against for every host. */
  readonly isNamed: boolean
  readonly depth: number
}

/** One way through a configuration: of each keyword the first value counts, of identity files all. */
class Reading {
  readonly #question: HostConfigQuestion
  readonly #identityFiles = new Set<string>()
  #user: string | null = null
  #identitiesOnly: boolean | null = null
  #via: ConfiguredRoute | null = null
  #forwardAgent: boolean | null = null
  #hostName: string | null = null
  #port: number | null = null

  constructor(question: HostConfigQuestion) {
    this.#question = question
  }

  result(): HostConfig {
    return {
      ...noHostConfig,
      user: this.#user,
      identityFiles: [...this.#identityFiles],
      identitiesOnly: this.#identitiesOnly ?? false,
      via: this.#via,
      forwardAgent: this.#forwardAgent ?? false,
    }
  }

  place(): Pick<JumpHostConfig, 'hostName' | 'port'> {
    return { hostName: this.#hostName, port: this.#port }
  }

  async add(text: string, place: Place): Promise<void> {
    await this.#addLines(SSHConfig.parse(text), place)
  }

  async #addLines(lines: Iterable<Line>, place: Place): Promise<void> {
    for (const line of lines) {
      if (!('param' in line)) continue
      const keyword = line.param.toLowerCase()
      const words = wordsOf(line.value)
      if ('config' in line) {
        const fit = keyword === 'host' ? this.#fitOfHost(words) : this.#fitOfMatch(criteriaOf(line))
        if (fit !== 'none')
          await this.#addLines(line.config, { ...place, isNamed: place.isNamed || fit === 'named' })
      } else if (keyword === 'include') await this.#include(words, place)
      else this.#set(keyword, words, place)
    }
  }

  async #include(patterns: readonly string[], place: Place): Promise<void> {
    if (place.depth >= deepestInclude) throw new Error('its Include lines go too deep')
    for (const pattern of patterns)
      for (const text of await this.#question.include(pattern))
        await this.add(text, { ...place, depth: place.depth + 1 })
  }

  #set(keyword: string, words: readonly string[], { isNamed }: Place): void {
    const value = words[0] ?? ''
    switch (keyword) {
      case 'user':
        if (isNamed && /^[A-Za-z_][\w.-]{0,63}$/.test(value)) this.#user ??= value
        break
      case 'identitiesonly':
        this.#identitiesOnly ??= value.toLowerCase() === 'yes'
        break
      case 'identityfile': {
        const path = this.#pathOf(value)
        if (path !== null) this.#identityFiles.add(path)
        break
      }
      case 'proxyjump':
        this.#via ??= routeOf(value)
        break
      case 'proxycommand':
        this.#via ??= { kind: value.toLowerCase() === 'none' ? 'direct' : 'command' }
        break
      case 'forwardagent':
        this.#forwardAgent ??= value !== '' && value.toLowerCase() !== 'no'
        break
      case 'hostname':
        this.#hostName ??= this.#hostNameOf(value)
        break
      case 'port':
        this.#port ??= parsePort(value)
        break
      default: // not gone by
    }
  }

  #fitOfHost(patterns: readonly string[]): Fit {
    const fits = (pattern: string): boolean =>
      this.#question.names.some((name) => fitsPattern(pattern, name.toLowerCase()))
    // One negated pattern that fits takes the whole block away.
    if (patterns.some((pattern) => pattern.startsWith('!') && fits(pattern.slice(1)))) return 'none'
    const fitting = patterns.filter((pattern) => !pattern.startsWith('!') && fits(pattern))
    if (fitting.length === 0) return 'none'
    return fitting.some((pattern) => !/^\*+$/.test(pattern)) ? 'named' : 'every-host'
  }

  /** Match exec is never run: it, and whatever else would have to be found out, does not fit. */
  #fitOfMatch(criteria: ReadonlyMap<string, readonly string[]>): Fit {
    let fit: Fit = 'every-host'
    for (const [criterion, patterns] of criteria) {
      const one = this.#fitOfCriterion(criterion.replace(/^!/, ''), patterns)
      if (one === null) return 'none'
      if ((one === 'none') !== criterion.startsWith('!')) return 'none'
      if (one === 'named') fit = 'named'
    }
    return criteria.size === 0 ? 'none' : fit
  }

  /** `null` for what is not found out. */
  #fitOfCriterion(criterion: string, patterns: readonly string[]): Fit | null {
    const { user, localUser } = this.#question
    switch (criterion) {
      case 'all':
        return 'every-host'
      case 'host':
      case 'originalhost':
        return this.#fitOfHost(patterns)
      case 'user':
        return fitOfWord(patterns, this.#user ?? user)
      case 'localuser':
        return fitOfWord(patterns, localUser)
      default:
        return null
    }
  }

  #hostNameOf(value: string): string | null {
    const [name = ''] = this.#question.names
    return parseHost(value.replaceAll('%h', () => name).replaceAll('%%', '%'))
  }

  /** `null` for none, and for what only ssh itself could fill in. */
  #pathOf(value: string): string | null {
    const { homeFolder, localUser } = this.#question
    const path = value.replaceAll('%d', homeFolder).replaceAll('%u', localUser).replaceAll('%%', '\0')
    const isMeant = /^(~?\/|~\\|[A-Za-z]:[\\/])/.test(path) && path.length <= 4096
    return !isMeant || /%|\$\{/.test(path) ? null : path.replaceAll('\0', '%')
  }
}

function routeOf(text: string): ConfiguredRoute {
  if (text.toLowerCase() === 'none') return { kind: 'direct' }
  const hosts = parseJumpHosts(text)
  return hosts === null ? { kind: 'unclear', text } : { kind: 'jump', hosts }
}

type Fit = 'none' | 'every-host' | 'named'

function fitOfWord(patterns: readonly string[], word: string): Fit {
  const fits = (pattern: string): boolean => fitsPattern(pattern.toLowerCase(), word.toLowerCase())
  if (patterns.some((pattern) => pattern.startsWith('!') && fits(pattern.slice(1)))) return 'none'
  return patterns.some((pattern) => !pattern.startsWith('!') && fits(pattern)) ? 'every-host' : 'none'
}

type Value = Extract<Line, { readonly param: string }>['value']

/** A line's value in words. */
export function wordsOf(value: Value): readonly string[] {
  return typeof value === 'string' ? [value] : value.map(({ val }) => val)
}

/** What a Match line asks for: each criterion, with "!" when it is negated, and its patterns. */
export function criteriaOf(line: Line): ReadonlyMap<string, readonly string[]> {
  if (!('criteria' in line)) return new Map()
  return new Map(
    Object.entries(line.criteria).map(([name, value]) => [
      name.toLowerCase(),
      wordsOf(value).flatMap((word) => word.split(',')),
    ]),
  )
}
