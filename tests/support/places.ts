import type { Imports } from './source-imports.ts'

/** By each file of domain/ the places that use it, straight or through other files of domain/. */
export function usersOfDomain(imports: Imports): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>()
  for (const [file, targets] of imports)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file])
  return new Map(
    [...imports.keys()].filter(isDomain).map((file) => {
      const reached = new Set([file])
      for (const one of reached)
        if (isDomain(one)) for (const importer of importers.get(one) ?? []) reached.add(importer)
      return [file, [...new Set([...reached].filter((one) => !isDomain(one)).map(placeOf))].toSorted()]
    }),
  )
}

function isDomain(file: string): boolean {
  return file.startsWith('src-main/domain/')
}

/** A file's area, page, or other folder. */
function placeOf(file: string): string {
  const [place = file] =
    /^(src-main\/services\/[^/]+|src-renderer\/features\/[^/]+|src-(main|renderer)(\/[^/]+(?=\/))?)/.exec(
      file,
    ) ?? []
  return place
}
