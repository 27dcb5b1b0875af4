import { z } from 'zod'

export const fieldName = z.string().min(1).max(200)

/** Which columns a table has. */
export const columnsView = z.object({
  /** The columns in their order; `null` for those of the catalog. */
  columns: z.array(fieldName).max(300).readonly().nullable(),
  /** Of the columns that were made wider or narrower, in pixels. */
  widthsPx: z.record(fieldName, z.number().int().min(20).max(2000)).readonly(),
})
export type ColumnsView = z.infer<typeof columnsView>

export const defaultColumnsView: ColumnsView = { columns: null, widthsPx: {} }

/** Whether a field can be a column: the service may send names that nobody could keep. */
export function canBeColumn(name: string): boolean {
  return fieldName.safeParse(name).success
}

/** A list with one of its names moved to another place, counted without it. */
export function moved(names: readonly string[], name: string, to: number): readonly string[] {
  const others = names.filter((other) => other !== name)
  return others.length === names.length ? names : others.toSpliced(Math.max(0, to), 0, name)
}

/** The same among those of them that are seen; the others stay where they are. */
export function movedAmong(
  names: readonly string[],
  isSeen: (name: string) => boolean,
  name: string,
  to: number,
): readonly string[] {
  const order = moved(names.filter(isSeen), name, to).values()
  return names.map((other) => (isSeen(other) ? (order.next().value ?? other) : other))
}
