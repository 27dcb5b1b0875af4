import type { JsonFile } from '#services/storage/json-file.ts'

/** A file whose content is in memory; given to a second run, it is what the first one left. */
export function memoryFile<T>(initial: T): JsonFile<T> {
  let value = initial
  const update = async (change: (current: T) => T): Promise<T> => (value = structuredClone(change(value)))
  return {
    get value() {
      return value
    },
    isNewer: false,
    update,
    write: async (next) => {
      await update(() => next)
    },
  }
}
