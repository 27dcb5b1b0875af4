import { computed, shallowRef } from 'vue'
import type { LogPart } from '#domain/base/log-part.ts'
import { SerialQueue } from '#domain/base/serial-queue.ts'
import { plainText } from '../output-text.ts'

/** How much is read at once when somebody looks at other parts. */
const stepBytes = 64 * 1024
/** The most that a call gives, and that the window holds: all of it is made lines anew with each piece. */
const mostHeld = 256 * 1024
/** A part may begin behind the rest of a character. */
const longestCharacterBytes = 4
/** Of a line that is drawn, in UTF-16 units. */
const longestLine = 2_000

export interface LogSource {
  /** Gives a part of the log from a byte on. */
  readonly read: (from: number, bytes: number) => Promise<LogPart>
}

/**
 * The part of a log that is in memory: its end while it's followed, else wherever somebody looks. Parts are asked for one
 * after the other, so that each joins the one before it.
 */
export function createLogWindow({ read }: LogSource) {
  /** Each begins where the one before it ends. */
  const parts = shallowRef<readonly LogPart[]>([])
  /** What there is, by the latest news. */
  const newest = shallowRef<LogPart | null>(null)
  const isFollowing = shallowRef(true)
  const queue = new SerialQueue()

  const from = computed(() => parts.value[0]?.from ?? 0)
  const to = computed(() => parts.value.at(-1)?.to ?? 0)
  const lines = computed(() => linesOf(parts.value))
  const hasEarlier = computed(() => from.value > (newest.value?.keptFrom ?? 0))
  const hasLater = computed(() => to.value < (newest.value?.size ?? 0))

  /** The end of the log has grown. */
  function tell(part: LogPart): Promise<void> {
    newest.value = part
    return queue.take(async () => {
      if (parts.value.length === 0) parts.value = [part]
      else if (isFollowing.value) await goToEnd()
    })
  }

  /** Up to the newest; what is too far behind it is left out. */
  async function goToEnd(): Promise<void> {
    const end = newest.value
    if (end === null || end.to <= to.value) return
    if (parts.value.length === 0 || end.to - to.value > mostHeld) parts.value = [end]
    else append(await read(to.value, end.to - to.value))
  }

  function append(part: LogPart): void {
    if (part.to <= to.value) return
    const isNext = part.from - to.value < longestCharacterBytes
    parts.value = isNext ? trimmed([...parts.value, part], 'start') : [part]
  }

  /** @returns how many lines have come above those that were there */
  function loadEarlier(): Promise<number> {
    return queue.take(async () => {
      const first = from.value
      const start = Math.max(newest.value?.keptFrom ?? 0, first - stepBytes)
      if (start >= first) return 0
      const before = lines.value.length
      const part = await read(start, first - start)
      if (first - part.to >= longestCharacterBytes) return 0
      const all = [part, ...parts.value]
      const added = linesOf(all).length - before
      parts.value = trimmed(all, 'end')
      return added
    })
  }

  /** @returns how many lines have gone from above those that are left */
  function loadLater(): Promise<number> {
    return queue.take(async () => {
      if (!hasLater.value) return 0
      const part = await read(to.value, stepBytes)
      const all = [...parts.value, part]
      const before = linesOf(all).length
      append(part)
      return before - lines.value.length
    })
  }

  /** Shows the line that begins at a byte, with what stands around it. @returns which line of the window that is */
  function show(at: number): Promise<number> {
    isFollowing.value = false
    return queue.take(async () => {
      const start = Math.max(newest.value?.keptFrom ?? 0, at - stepBytes)
      const before = start < at ? await read(start, at - start) : null
      const after = await read(at, stepBytes)
      const above = before === null || after.from - before.to >= longestCharacterBytes ? [] : [before]
      parts.value = [...above, after]
      return rawLines(above).length - 1
    })
  }

  /** The end again, and what comes. */
  function follow(): Promise<void> {
    isFollowing.value = true
    return queue.take(goToEnd)
  }

  return {
    lines,
    isFollowing,
    hasEarlier,
    hasLater,
    tell,
    loadEarlier,
    loadLater,
    show,
    follow,
    stay: () => (isFollowing.value = false),
  }
}

function trimmed(parts: readonly LogPart[], at: 'start' | 'end'): readonly LogPart[] {
  const bytes = parts.reduce((sum, part) => sum + part.to - part.from, 0)
  if (bytes <= mostHeld || parts.length === 1) return parts
  return trimmed(at === 'start' ? parts.slice(1) : parts.slice(0, -1), at)
}

function linesOf(parts: readonly LogPart[]): readonly string[] {
  const lines = rawLines(parts)
  // After the last line's end nothing begins yet.
  if (lines.at(-1) === '') lines.pop()
  return lines.map(bounded)
}

/** What stands behind the last line's end is one, too, if only an empty one. */
function rawLines(parts: readonly LogPart[]): string[] {
  return plainText(parts.map((part) => part.text).join('')).split('\n')
}

function bounded(line: string): string {
  if (line.length <= longestLine) return line
  return `${line.slice(0, longestLine)}… (${line.length - longestLine} more characters)`
}
