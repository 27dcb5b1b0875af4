import { basename, dirname } from 'node:path'
import type { ChosenPlace } from '../../domain/files/transfer.ts'

/** Paths by the folders that they are in: each is a transfer of its own. A root has no name, and is left out. */
export function placesOf(paths: readonly string[]): readonly ChosenPlace[] {
  const byFolder = Map.groupBy(
    paths.filter((path) => basename(path) !== ''),
    (path) => dirname(path),
  )
  return [...byFolder].map(([from, inside]) => ({ from, names: inside.map((path) => basename(path)) }))
}
