import { largestSizeGb } from '#domain/renting/rent-request.ts'
import { formatNumber } from '#ui/format.ts'

/** What a size in GB may be, written in the user’s locale as it is now. */
export function sizeHint(): string {
  return `Enter a size above 0, up to ${formatNumber(largestSizeGb)} GB.`
}
