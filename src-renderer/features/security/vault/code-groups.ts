/** A code in groups that a person can read out: `123 456`, `1234 5678`, `123 4567`. */
export function inGroups(code: string): string {
  const size = code.length === 8 ? 4 : 3
  const head = code.slice(0, size)
  return code.length > size ? `${head} ${code.slice(size)}` : head
}
