import { onScopeDispose, shallowRef, watch } from 'vue'
import type { FileEntry } from '#domain/files/transfer.ts'
import { client } from '#ipc/client.ts'
import { useAction } from '#ui/use-action.ts'
import type { SizeState } from './entry-text.ts'
import type { Folder } from './use-folder.ts'

/** Sizes of folders in a folder, for as long as it is shown: each is counted when it's asked for. */
export function useFolderSizes(folder: Folder) {
  const sizes = shallowRef<ReadonlyMap<string, SizeState>>(new Map())
  let leaving = new AbortController()

  function note(name: string, state: SizeState | null): void {
    const next = new Map(sizes.value)
    if (state === null) next.delete(name)
    else next.set(name, state)
    sizes.value = next
  }

  /** Until when what was asked for counts, and where. */
  interface Where {
    readonly folder: string
    readonly signal: AbortSignal
  }
  const counting = useAction(
    async (names: readonly string[], where: Where) => {
      try {
        for (const name of names) await count(name, where)
      } finally {
        if (!where.signal.aborted)
          for (const name of names) if (sizes.value.get(name)?.kind === 'counting') note(name, null)
      }
    },
    { attempt: 'load', inTurn: true },
  )
  async function count(name: string, { folder: path, signal }: Where): Promise<void> {
    if (signal.aborted) return
    try {
      const outcome = await client.files.measure({ place: folder.place, folder: path, name }, { signal })
      if (!signal.aborted) note(name, outcome.kind === 'stopped' ? null : outcome)
    } catch (error) {
      // Stopping is told as an error, too; it is none.
      if (!signal.aborted) throw error
    }
  }
  function measure(names: readonly string[]): void {
    for (const name of names) note(name, { kind: 'counting' })
    void counting.run(names, { folder: folder.path.value, signal: leaving.signal })
  }

  /** Counts no more; what was counted stays. */
  function stop(): void {
    leaving.abort()
    leaving = new AbortController()
    sizes.value = new Map([...sizes.value].filter(([, { kind }]) => kind !== 'counting'))
  }
  watch(folder.path, () => {
    stop()
    sizes.value = new Map()
  })
  onScopeDispose(stop)

  return {
    sizes,
    /** Of an entry, as far as that is known; `null` for a folder that wasn't counted. */
    bytesOf: ({ name, kind, size }: FileEntry): number | null => {
      if (kind !== 'folder') return size
      const state = sizes.value.get(name)
      return state?.kind === 'counted' ? state.size.bytes : null
    },
    measure,
    stop,
  }
}
export type FolderSizes = ReturnType<typeof useFolderSizes>
