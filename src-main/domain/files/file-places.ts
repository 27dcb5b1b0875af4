import { z } from 'zod'
import type { FilePlace } from './transfer.ts'

/** More bookmarks of one side than fit in a menu. */
export const mostBookmarks = 50

const path = z.string().min(1).max(4096)

/** What is kept of one side's folders. */
const placesOfSide = z.object({
  /** In the order in which they were added. */
  bookmarks: z.array(path).max(mostBookmarks).readonly(),
  /** The folder that was shown last; `null` when none was. */
  last: path.nullable(),
})
export type PlacesOfSide = z.infer<typeof placesOfSide>

/** The folders that the user goes back to, of this computer and by instance id. */
export const filePlaces = z.object({
  local: placesOfSide,
  instances: z.record(z.string(), placesOfSide),
})
export type FilePlaces = z.infer<typeof filePlaces>

export const noPlaces: PlacesOfSide = { bookmarks: [], last: null }

/** Of one side; {@link noPlaces} when nothing is kept of it. */
export function placesOf(all: FilePlaces, place: FilePlace): PlacesOfSide {
  return place.side === 'local' ? all.local : (all.instances[place.instanceId] ?? noPlaces)
}

/** How folders are looked at. */
export const fileView = z.object({
  /** Whether files whose names begin with a dot are shown. */
  showsHidden: z.boolean(),
})
export type FileView = z.infer<typeof fileView>

/** Nothing is hidden that nobody wanted hidden: whoever copies all of a folder sees all of it. */
export const defaultFileView: FileView = { showsHidden: true }
