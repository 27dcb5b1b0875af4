import { longestDetail, longestNamedPath, longestNameBytes } from './limits.ts'

/** A path as it is named to the window: a long one loses its middle, for its end says most. */
export function shortenedPath(path: string): string {
  if (path.length <= longestNamedPath) return path
  const half = Math.floor(longestNamedPath / 2)
  return `${path.slice(0, half).toWellFormed()}…${path.slice(1 - half).toWellFormed()}`
}

/** What somebody else says about an error, no longer than anybody reads. */
export function shortenedDetail(detail: string): string {
  return detail.length <= longestDetail ? detail : `${detail.slice(0, longestDetail - 1).toWellFormed()}…`
}

/**
 * A name as it is kept: one that no file system takes loses its end, and stays too long to be used
 * (`whyNotAFileName`). The copy holds on to nothing of what was cut off.
 */
export function boundedName(name: string): string {
  if (name.length <= longestNameBytes) return name
  const characters = Array.from(name.slice(0, 2 * (longestNameBytes + 1)))
  return characters.slice(0, longestNameBytes + 1).join('')
}
