import type { RecordList } from '#domain/rental-api/unreadable-record.ts'

/** A list of the service of which every record can be read. */
export function wholeList<T>(records: readonly T[]): RecordList<T> {
  return { records, unreadable: [] }
}
