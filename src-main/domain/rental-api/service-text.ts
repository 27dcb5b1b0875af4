import { visibleText } from '../fields/field-format.ts'

/**
 * What the service says as one line that can stand in a sentence: nothing in it hides or reorders what stands around
 * it, however long it is.
 *
 * @param longest in UTF-16 units
 */
export function serviceLine(text: string, longest: number): string {
  const cut = text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text
  return visibleText(cut.replaceAll(/[\s\p{Zl}\p{Zp}]+/gu, ' ').trim())
}
