import { z } from 'zod'
import { ProblemError } from '../../domain/base/problem.ts'
import type { RecordList, UnreadableRecord } from '../../domain/rental-api/unreadable-record.ts'

/** With more than these it isn't a record that doesn't fit, but the reply. */
export const mostUnreadable = 100

const someRecord = z.record(z.string(), z.unknown())
const withId = z.looseObject({ id: z.number().int() })

/**
 * A list of which each record is read by itself, so that one that doesn't fit takes no other away, nor itself where it's
 * the only one: it may be charged. Where too many don't fit, or none of several does, or the only one is no object, it's
 * the reply that doesn't: one record may be odd, but several that all are show that the service sends something else.
 *
 * @param isAsItIs whether the schema would give a record as it is. It then isn't asked, because it copies each field:
 *   of ten thousand offers with 60 fields that took 250 ms
 */
export function recordList<T>(
  record: z.ZodType<T>,
  isAsItIs: (value: unknown) => value is T = (_): _ is T => false,
) {
  return z.array(z.unknown()).transform((values, context): RecordList<T> => {
    const records: T[] = []
    const unreadable: UnreadableRecord[] = []
    let first: { readonly message: string; readonly path: PropertyKey[] } | null = null
    for (const [index, value] of values.entries()) {
      if (isAsItIs(value)) {
        records.push(value)
        continue
      }
      const parsed = record.safeParse(value)
      if (parsed.success) {
        records.push(parsed.data)
        continue
      }
      const { path = [], message = 'unexpected content' } = parsed.error.issues[0] ?? {}
      first ??= { message, path: [index, ...path] }
      unreadable.push({
        place: index + 1,
        id: withId.safeParse(value).data?.id ?? null,
        detail: path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`,
      })
      if (unreadable.length > mostUnreadable) break
    }
    if (first !== null && (isOther(values, records) || unreadable.length > mostUnreadable)) {
      context.addIssue({ code: 'custom', ...first })
      return z.NEVER
    }
    return { records, unreadable }
  })
}

/** Whether these values, of which so many could be read, are no such records at all. */
function isOther(values: readonly unknown[], records: readonly unknown[]): boolean {
  return records.length === 0 && (values.length > 1 || !someRecord.safeParse(values[0]).success)
}

/**
 * The records of a list from which something is to be concluded, such as that one has gone.
 *
 * @throws ProblemError `bad-reply` when one can't be read
 */
export function wholeList<T>({ records, unreadable: [first] }: RecordList<T>): readonly T[] {
  if (first !== undefined)
    throw new ProblemError({
      kind: 'bad-reply',
      status: 200,
      path: `${first.place - 1}`,
      detail: first.detail,
    })
  return records
}
