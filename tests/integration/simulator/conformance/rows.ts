import type { Exempt, Row } from './row.ts'
import { overviewExempt, overviewRows } from './section-1-overview.ts'
import { cloudExempt, cloudRows } from './section-2-1-cloud.ts'
import { templateFieldExempt, templateFieldRows } from './section-2-2-template-fields.ts'
import { templateSearchRows } from './section-2-2-template-search.ts'
import { templateRows } from './section-4-5-templates.ts'
import { tfaExempt, tfaRows } from './tfa-rows.ts'
import { recordExempt, recordRows } from './section-2-records.ts'
import { userExempt, userRows } from './section-2-5-user.ts'
import { statusRows } from './section-3-1-status.ts'

export const rows: readonly Row[] = [
  ...statusRows,
  ...userRows,
  ...recordRows,
  ...templateRows,
  ...templateSearchRows,
  ...templateFieldRows,
  ...cloudRows,
  ...overviewRows,
  ...tfaRows,
]
export const exempt: readonly Exempt[] = [
  ...userExempt,
  ...recordExempt,
  ...templateFieldExempt,
  ...cloudExempt,
  ...overviewExempt,
  ...tfaExempt,
]
