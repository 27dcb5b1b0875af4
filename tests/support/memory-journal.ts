import type { Journal } from '#services/storage/journal.ts'

/** A journal whose file is an array, which may be given to the next run. */
export function memoryJournal<T>(entries: T[] = []): Journal<T> & { readonly entries: T[] } {
  return {
    entries,
    append: async (...added) => void entries.push(...structuredClone(added)),
    readAll: async () => [...entries],
    compact: async (keep) => void entries.splice(0, entries.length, ...entries.filter(keep)),
  }
}
