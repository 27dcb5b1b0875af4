import { useDropZone } from '@vueuse/core'
import type { MaybeRefOrGetter, ShallowRef } from 'vue'
import {
  readDefinitionFile,
  type DefinitionContent,
  type DefinitionFault,
} from '#domain/jobs/definition-file.ts'
import { longestDefinition } from '#domain/jobs/job-definition.ts'

/** What a file that was dropped says. A page learns no path, so its folder is chosen afterwards. */
export type DroppedDefinition =
  | ({ readonly kind: 'read'; readonly unknown: readonly string[] } & DefinitionContent)
  | { readonly kind: 'faulty'; readonly fault: DefinitionFault; readonly path: string }

/**
 * Takes a definition file that is dropped from the desktop. Nothing starts by dropping one. By keyboard, files are opened
 * with the system's dialog.
 *
 * @returns whether something is held over it now
 */
export function useDefinitionDrop(
  target: MaybeRefOrGetter<HTMLElement | null>,
  take: (dropped: DroppedDefinition) => void,
): ShallowRef<boolean> {
  const { isOverDropZone } = useDropZone(target, {
    onDrop: (files) => {
      const [file] = files ?? []
      if (file !== undefined) void readDropped(file).then(take)
    },
  })
  return isOverDropZone
}

/** What a file says, read here and nowhere else. */
export async function readDropped(file: Pick<File, 'size' | 'text'>): Promise<DroppedDefinition> {
  // No UTF-16 unit takes more than three bytes.
  if (file.size > 3 * longestDefinition) return { kind: 'faulty', fault: 'too-long', path: '' }
  const text = await file.text().catch(() => null)
  // A folder, or a file that was taken away.
  if (text === null) return { kind: 'faulty', fault: 'unreadable', path: '' }
  const read = readDefinitionFile(text)
  return read.ok
    ? { kind: 'read', ...read.content, unknown: read.unknown }
    : { kind: 'faulty', fault: read.fault, path: read.path }
}
