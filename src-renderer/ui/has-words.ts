/** Whether each typed word is in the text, in any order. What is not typed is found everywhere. */
export function hasWords(text: string, typed: string): boolean {
  const folded = text.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => folded.includes(word))
}
