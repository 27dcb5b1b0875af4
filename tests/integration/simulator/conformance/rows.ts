import type { Exempt, Row } from './row.ts'
import { overviewExempt, overviewRows } from './section-1-overview.ts'
import { cloudExempt, cloudRows } from './section-2-1-cloud.ts'
import { templateFieldExempt, templateFieldRows } from './section-2-2-template-fields.ts'
import { templateSearchRows } from './section-2-2-template-search.ts'
import { templateRows } from './section-4-5-templates.ts'
import { twoFactorExempt, twoFactorRows } from './two-factor-rows.ts'
import { recordExempt, recordRows } from './section-2-records.ts'
import { userExempt, userRows } from './section-2-5-user.ts'
import { statusRows } from './section-3-1-status.ts'
import { offerExempt, offerRows } from './section-4-3-offers.ts'
import { instanceExempt, instanceRows } from './section-4-4-instances.ts'
import { precedenceRows } from './section-4-4-precedence.ts'
import { keysExempt, keysRows } from './section-5-keys.ts'
import { limitExempt, limitRows } from './section-8-limits.ts'

export const rows: readonly Row[] = [
  ...limitRows,
  ...keysRows,
  ...precedenceRows,
  ...instanceRows,
  ...offerRows,
  ...statusRows,
  ...userRows,
  ...recordRows,
  ...templateRows,
  ...templateSearchRows,
  ...templateFieldRows,
  ...cloudRows,
  ...overviewRows,
  ...twoFactorRows,
]
export const exempt: readonly Exempt[] = [
  ...limitExempt,
  ...keysExempt,
  ...instanceExempt,
  ...offerExempt,
  ...userExempt,
  ...recordExempt,
  ...templateFieldExempt,
  ...cloudExempt,
  ...overviewExempt,
  ...twoFactorExempt,
]
