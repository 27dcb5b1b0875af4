import { largestSizeGb } from '#domain/renting/rent-request.ts'
import { formatNumber } from '#ui/format.ts'

export const sizeHint = `A number of GB above 0, ${formatNumber(largestSizeGb)} at most.`
