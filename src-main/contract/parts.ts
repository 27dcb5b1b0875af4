import { z } from 'zod'
import { unreadableRecords, type RecordList } from '../domain/rental-api/unreadable-record.ts'
import { bulk } from './bulk.ts'

/** Columns are as wide as their first 300 rows ask for (ui/table/column-width.ts): with these, they stay so. */
const firstPart = 300
/**
 * Some 20 ms of main's time, between which it does other things, as the window does. With parts of 1,000, ten thousand
 * offers were there after 24.0 times a JSON.parse of their reply, with these after 18.0.
 */
const furtherPart = 2_500

/** A piece of a long list from the service, and what is said of all of it. */
export function listPart<T>() {
  return z.object({
    records: bulk<T>(),
    /** How many records all parts have together. */
    total: z.number().int(),
    unreadable: unreadableRecords,
  })
}

/**
 * Main's half: a list in parts, the first of which is what a screen shows. Main writes a part while the window reads the
 * one before.
 */
export async function* inParts<List extends RecordList<unknown>>(
  list: List,
): AsyncGenerator<List & { readonly total: number }, void, void> {
  const { records } = list
  const total = records.length
  yield { ...list, total, records: records.slice(0, firstPart) }
  for (let at = firstPart; at < total; at += furtherPart) {
    await new Promise((resolve) => setImmediate(resolve))
    yield { ...list, total, records: records.slice(at, at + furtherPart) }
  }
}

/**
 * The window's half: the list as a whole.
 *
 * @param onFirst is given the first part when more are coming; they wait until it's done
 * @throws what the parts fail with; Error when they end before the list does
 */
export async function fromParts<Part extends RecordList<unknown> & { readonly total: number }>(
  parts: AsyncIterable<Part>,
  onFirst?: (first: Part) => Promise<void>,
): Promise<Part> {
  const records: unknown[] = []
  let first: Part | null = null
  for await (const part of parts) {
    for (const record of part.records) records.push(record)
    if (first === null && records.length < part.total) await onFirst?.(part)
    first ??= part
  }
  if (first === null) throw new Error('A list came without a part')
  // What is missing would be taken for gone.
  if (records.length !== first.total)
    throw new Error(`Of a list of ${first.total} records ${records.length} came`)
  return { ...first, records }
}
