import type { Imports } from './source-imports.ts'

/** By each file of a folder the places that use it, straight or through other files of the folder. */
export function usersOf(folder: string, imports: Imports): ReadonlyMap<string, readonly string[]> {
  const isInside = (file: string): boolean => file.startsWith(folder)
  const importers = new Map<string, string[]>()
  for (const [file, targets] of imports)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file])
  return new Map(
    [...imports.keys()].filter(isInside).map((file) => {
      const reached = new Set([file])
      for (const one of reached)
        if (isInside(one)) for (const importer of importers.get(one) ?? []) reached.add(importer)
      return [file, [...new Set([...reached].filter((one) => !isInside(one)).map(placeOf))].toSorted()]
    }),
  )
}

/** A file's area, page, or other folder. */
function placeOf(file: string): string {
  const [place = file] =
    /^(src-main\/services\/[^/]+|src-renderer\/features\/[^/]+|src-(main|renderer)(\/[^/]+(?=\/))?)/.exec(
      file,
    ) ?? []
  return place
}
