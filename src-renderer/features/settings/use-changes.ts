import { useAction } from '#ui/use-action.ts'

/**
 * For several settings that are kept as one: a change that is made while another is being saved is neither left out
 * nor undone by it.
 *
 * @param save gets what was changed here so far
 * @returns changes some of them, and saves
 */
export function useChanges<T extends object>(
  save: (changes: Partial<T>) => Promise<unknown>,
): (change: Partial<T>) => Promise<void> {
  let saved: Partial<T> = {}
  let waiting: Partial<T> = {}
  const saving = useAction(
    async () => {
      const changes = { ...saved, ...waiting }
      waiting = {}
      await save(changes)
      saved = changes
    },
    { attempt: 'save' },
  )
  return async (change) => {
    waiting = { ...waiting, ...change }
    // Who is saving already goes on with it.
    while (Object.keys(waiting).length > 0 && !saving.pending.value) await saving.run()
  }
}
