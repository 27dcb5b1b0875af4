import type { LogPart } from '../../../domain/base/log-part.ts'

/**
 * Text of bytes that begin and end anywhere: from the first byte that begins a character of UTF-8 to behind the last whole
 * one; what is none stands for itself.
 *
 * @param at where the bytes begin in the whole
 * @param size of the whole
 */
export function wholeCharacters(
  bytes: Buffer,
  at: number,
  size: number,
): Pick<LogPart, 'from' | 'to' | 'text'> {
  const isWithin = (index: number): boolean => ((bytes[index] ?? 0) & 0xc0) === 0x80
  let first = 0
  if (at > 0) while (first < 3 && first < bytes.length && isWithin(first)) first += 1
  const end = at + bytes.length >= size ? bytes.length : wholeEnd(bytes, first, isWithin)
  return { from: at + first, to: at + end, text: bytes.toString('utf8', first, end) }
}

function wholeEnd(bytes: Buffer, first: number, isWithin: (index: number) => boolean): number {
  let lead = bytes.length - 1
  while (lead > bytes.length - 4 && lead > first && isWithin(lead)) lead -= 1
  const byte = bytes[lead] ?? 0
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
  return lead + length > bytes.length && lead > first ? lead : bytes.length
}
