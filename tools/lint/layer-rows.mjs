import { rooms } from './layer-table.js'

/** How README.md calls a room: a folder by its slash. */
const inDocs = (name) => `\`${name}${/\.ts$/.test(name) ? '' : '/'}\``

/** The table of layers as README.md shows it: of each room its name and what it may import. */
export function layerRows() {
  return rooms.map((room) => [
    inDocs(room.name),
    [
      ...room.rooms.map(inDocs),
      ...(room.files ?? []).map((file) => `\`${file}\``),
      ...(room.node ? ['Node'] : []),
      ...(room.window ? ['the packages of the window'] : []),
      ...(room.packages ?? []),
      ...(room.typePackages ?? []).map((name) => `types of ${name}`),
    ].join(', '),
  ])
}
