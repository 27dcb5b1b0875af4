import type { Imports } from './source-imports.ts'

/** Each circle of files as `a → b → a`; every file that is in one is told in one. */
export function circlesOfFiles(imports: Imports): readonly string[] {
  return circles(imports).map((circle) => [...circle, ...circle.slice(0, 1)].join(' → '))
}

/**
 * Each circle of areas by files that make it; a file that lies in the layer itself is in no area.
 *
 * @param layer a folder whose folders are the areas, such as `src-main/domain/`
 */
export function circlesOfAreas(imports: Imports, layer: string): readonly string[] {
  /** By the area: what it imports, and one file that does. */
  const links = new Map<string, Map<string, string>>()
  for (const [file, targets] of imports)
    for (const target of targets) {
      const [area, other] = [areaOf(file, layer), areaOf(target, layer)]
      if (area === null || other === null || area === other) continue
      const ofArea = links.get(area) ?? new Map<string, string>()
      links.set(area, ofArea)
      if (!ofArea.has(other)) ofArea.set(other, `${file} imports ${target}`)
    }
  const areas = new Map([...links].map(([area, ofArea]) => [area, [...ofArea.keys()]]))
  return circles(areas).map((circle) =>
    circle.map((area, index) => links.get(area)?.get(circle[(index + 1) % circle.length] ?? '')).join(', '),
  )
}

function areaOf(file: string, layer: string): string | null {
  if (!file.startsWith(layer)) return null
  const [area, ...rest] = file.slice(layer.length).split('/')
  return rest.length === 0 ? null : (area ?? null)
}

/** A shortest circle through each node that is in one, unless another one has told of it. */
function circles(links: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const found: (readonly string[])[] = []
  for (const start of [...links.keys()].toSorted()) {
    if (found.some((circle) => circle.includes(start))) continue
    const circle = shortestCircle(links, start)
    if (circle !== null) found.push(circle)
  }
  return found
}

function shortestCircle(
  links: ReadonlyMap<string, readonly string[]>,
  start: string,
): readonly string[] | null {
  const cameFrom = new Map<string, string>()
  const pathTo = (node: string): readonly string[] => {
    const before = node === start ? undefined : cameFrom.get(node)
    return before === undefined ? [node] : [...pathTo(before), node]
  }
  const queue = [start]
  for (const node of queue)
    for (const next of links.get(node) ?? []) {
      if (next === start) return pathTo(node)
      if (cameFrom.has(next)) continue
      cameFrom.set(next, node)
      queue.push(next)
    }
  return null
}
