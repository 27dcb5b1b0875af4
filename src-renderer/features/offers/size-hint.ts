import { largestSizeGb } from '#domain/renting/rent-request.ts'
import { formatNumber } from '#ui/format.ts'

export const sizeHint = `Enter a size above 0, up to ${formatNumber(largestSizeGb)} GB.`
