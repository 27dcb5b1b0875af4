import type { Exempt, Row } from './row.ts'

export const rows: readonly Row[] = []
export const exempt: readonly Exempt[] = []
