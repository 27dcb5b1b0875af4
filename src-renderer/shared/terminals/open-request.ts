import { shellFolder } from '#domain/terminals/shell-wish.ts'

/** Terminals that a page wants opened, as it stands in the address of the terminals' page. */
export interface OpenRequest {
  readonly instanceIds: readonly number[]
  /** All in sight, and not one tab beside the other. */
  readonly areTiles: boolean
  /** What is typed into one of them goes to all. */
  readonly isBroadcast: boolean
  /** Where their shells begin; `null` for the home. */
  readonly folder: string | null
}

/** More connections at once are asked about. */
export const manyTerminals = 20
/** More aren't opened at once. */
export const mostTerminals = 64
/** More would be too small to be read, and a page draws no more screens than that on its GPU. */
export const mostTiles = 12

export function openRequestQuery({ instanceIds, areTiles, isBroadcast, folder }: OpenRequest) {
  return {
    open: instanceIds.join(),
    ...(areTiles && { as: 'tiles' }),
    ...(isBroadcast && { broadcast: 'on' }),
    ...(folder !== null && { folder }),
  }
}

/** @returns `null` when nothing is to be opened; what isn't an instance's id is left out */
export function readOpenRequest(query: Readonly<Record<string, unknown>>): OpenRequest | null {
  const { open, as, broadcast, folder } = query
  if (typeof open !== 'string') return null
  const ids = open
    .split(',')
    .filter((id) => /^\d{1,15}$/.test(id))
    .map(Number)
  const instanceIds = [...new Set(ids)].slice(0, mostTerminals)
  return {
    instanceIds,
    areTiles: as === 'tiles' && instanceIds.length <= mostTiles,
    isBroadcast: broadcast === 'on',
    folder: shellFolder.safeParse(folder).data ?? null,
  }
}
