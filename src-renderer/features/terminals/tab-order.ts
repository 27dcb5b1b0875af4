/** The list with one of its items at another place; places outside of the list are its ends. */
export function moveItem<T>(list: readonly T[], item: T, place: number): readonly T[] {
  if (!list.includes(item)) return list
  const rest = list.filter((other) => other !== item)
  return rest.toSpliced(Math.min(Math.max(place, 0), rest.length), 0, item)
}
