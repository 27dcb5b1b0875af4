import type { Clock } from '../../../domain/base/clock.ts'
import type { FileEntry, SkipReason, TransferProblem } from '../../../domain/files/transfer.ts'
import { TransferFailure } from '../failure.ts'
import type { FileAttributes, FileTree } from '../file-tree.ts'
import { GitignoreThread, type GitignoreFile } from '../gitignore-thread.ts'
import { deepestFolder, entryCost, longestPathBytes, mostPlanned, mostPlannedCharacters } from '../limits.ts'

/** What patterns name: a file, or what can't be copied. */
export interface FoundFile extends FileAttributes {
  /** From the folder that was looked through, with `/`. */
  readonly path: string
  /** In bytes. */
  readonly size: number
  /** Why it can't be copied: it's a link, or no file can have this path on this computer or there; `null` when it can. */
  readonly fault: SkipReason | null
}

export interface Found {
  readonly files: readonly FoundFile[]
  /** Patterns that name nothing that is there. */
  readonly unmatched: readonly string[]
}

export interface FindOptions {
  readonly tree: FileTree
  /** Where they are to come to. */
  readonly target: Pick<FileTree, 'whyUnusable'>
  /** Without links and dots. */
  readonly folder: string
  /** In the syntax of .gitignore, from that folder on. */
  readonly patterns: readonly string[]
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** So many links are followed to see where they lead; any more are told. */
const mostResolved = 1_000

/** What the instance says of a link that it can't follow. */
const leadsNowhere: ReadonlySet<TransferProblem['kind']> = new Set(['missing', 'denied', 'failed'])

/** A pattern, and whether anything was found by it so far. */
interface Wanted {
  readonly pattern: string
  readonly rules: GitignoreFile
  isFound: boolean
}

/**
 * What patterns name, and all in folders that they name. Links aren't followed; one that a pattern names, or leads
 * through, is told with its fault, unless it leads to what is named itself. So is a folder on a pattern's way whose name
 * can't be had here.
 *
 * @throws TransferFailure, ChannelEnded, or the signal's reason
 */
export async function findFiles(options: FindOptions): Promise<Found> {
  const { tree, target, folder: top, patterns, clock, signal } = options
  const found: FoundFile[] = []
  const namedFolders = new Set<string>()
  let characters = 0
  const thread = new GitignoreThread(clock, signal)
  const rules = thread.add(top, patterns.map(asLine).join('\n'))
  const all = patterns.map((pattern): Wanted => ({
    pattern,
    rules: thread.add(top, asLine(pattern)),
    isFound: false,
  }))

  /** @param outer patterns that name the folder, or one around it, and that nothing was found by before */
  async function walk(
    folder: string,
    names: readonly string[],
    isNamed: boolean,
    outer: readonly Wanted[],
  ): Promise<void> {
    signal.throwIfAborted()
    if (names.length > deepestFolder)
      throw new TransferFailure({ kind: 'too-many', side: tree.side, path: folder })
    const entries = await tree.list(folder)
    const named = isNamed ? new Set(entries) : await namedIn(rules, entries, names)
    const namers = await namersOf([...named], names)
    for (const entry of entries) {
      const inner = [...names, entry.name]
      const path = inner.join('/')
      const fault = faultOf(entry)
      const isLink = fault?.kind === 'link'
      const by = all.filter(
        (one) =>
          outer.includes(one) ||
          namers.get(one)?.has(entry) === true ||
          (isLink && leadsThrough(one.pattern, inner)),
      )
      // What has a faulty name can't be asked for, wherever that would lead.
      if (fault !== null || entry.kind === 'file') {
        // What such a folder has in it can't be looked for.
        const isOnTheWay = entry.kind === 'folder' && patterns.some((pattern) => mayHide(pattern, inner))
        if (!named.has(entry) && by.length === 0 && !isOnTheWay) continue
        count(path)
        for (const one of by) one.isFound = true
        const { size, mode, modifiedAt } = entry
        found.push({ path, size, mode, modifiedAt, fault })
      } else if (named.has(entry) || patterns.some((pattern) => mayReach(pattern, inner))) {
        if (named.has(entry)) namedFolders.add(path)
        await walk(tree.join(folder, entry.name), inner, named.has(entry), by)
      }
    }
  }

  /** Links to what comes back by its own name, such as `latest`: nothing is lost with those. */
  async function needlessLinks(): Promise<ReadonlySet<FoundFile>> {
    const copied = new Set(found.flatMap(({ path, fault }) => (fault === null ? path : [])))
    const needless = new Set<FoundFile>()
    const links = found.filter(({ fault }) => fault?.kind === 'link').slice(0, mostResolved)
    for (const link of links) {
      signal.throwIfAborted()
      const real = await leadsTo(link.path)
      if (real !== null && (copied.has(real) || namedFolders.has(real))) needless.add(link)
    }
    return needless
  }

  /** From the folder on; `null` for anything outside, or for a link that leads nowhere. */
  async function leadsTo(path: string): Promise<string | null> {
    try {
      const real = await tree.resolve(path.split('/').reduce((outer, name) => tree.join(outer, name), top))
      const below = top.endsWith('/') ? top : `${top}/`
      return real.startsWith(below) ? real.slice(below.length) : null
    } catch (error) {
      if (error instanceof TransferFailure && leadsNowhere.has(error.problem.kind)) return null
      throw error
    }
  }

  /** Of the patterns that nothing was found by yet, which entries each names. */
  async function namersOf(
    entries: readonly FileEntry[],
    names: readonly string[],
  ): Promise<ReadonlyMap<Wanted, ReadonlySet<FileEntry>>> {
    const namers = new Map<Wanted, ReadonlySet<FileEntry>>()
    if (entries.length > 0)
      for (const one of all) if (!one.isFound) namers.set(one, await namedIn(one.rules, entries, names))
    return namers
  }

  function faultOf({ name, kind }: FileEntry): FoundFile['fault'] {
    const fault = tree.whyUnusable(name) ?? target.whyUnusable(name)
    if (fault !== null) return { kind: 'bad-name', fault }
    return kind === 'link' ? { kind: 'link' } : kind === 'other' ? { kind: 'not-a-file' } : null
  }

  /** @throws TransferFailure too-many */
  function count(path: string): void {
    characters += path.length + entryCost
    const isTooLong = Buffer.byteLength(path) > longestPathBytes
    if (isTooLong || found.length >= mostPlanned || characters > mostPlannedCharacters)
      throw new TransferFailure({ kind: 'too-many', side: tree.side, path: top })
  }

  try {
    await walk(top, [], false, [])
  } finally {
    await thread.end()
  }
  const needless = await needlessLinks()
  const files = found.filter((file) => !needless.has(file))
  return { files, unmatched: all.flatMap(({ pattern, isFound }) => (isFound ? [] : pattern)) }
}

async function namedIn(
  rules: GitignoreFile,
  entries: readonly FileEntry[],
  names: readonly string[],
): Promise<ReadonlySet<FileEntry>> {
  if (entries.length === 0) return new Set()
  const said = await rules.judge(
    // A link may lead to a folder, which a pattern may ask for.
    entries.map(
      ({ name, kind }) => [...names, name].join('/') + (kind === 'folder' || kind === 'link' ? '/' : ''),
    ),
  )
  return new Set(entries.filter((_, index) => said[index] === 'ignored'))
}

/** A pattern is no comment. */
function asLine(pattern: string): string {
  return pattern.startsWith('#') ? `\\${pattern}` : pattern
}

const special = /[*?[\\]/

/** Whether a pattern asks for something below these very names. */
function leadsThrough(pattern: string, names: readonly string[]): boolean {
  const parts = pattern.split('/')
  return parts.length > names.length && names.every((name, index) => parts[index] === name)
}

/**
 * Whether what a pattern asks for may be in this folder, which can't be looked through. A mere name, such as `out/`, is
 * of any folder, too; mostly it's meant for the first.
 */
function mayHide(pattern: string, folder: readonly string[]): boolean {
  const isName = !special.test(pattern) && !pattern.replace(/\/$/, '').includes('/')
  return !isName && mayReach(pattern, folder)
}

/** Whether a pattern may name something in this folder: others needn't be listed. */
function mayReach(pattern: string, folder: readonly string[]): boolean {
  const parts = pattern.replace(/\/$/, '').split('/')
  // Of any folder.
  if (parts.length === 1 || parts.includes('**')) return true
  return (
    folder.length < parts.length &&
    folder.every((name, index) => {
      const part = parts[index] ?? ''
      return special.test(part) || part === name
    })
  )
}
