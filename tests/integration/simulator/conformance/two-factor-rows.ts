import type { Exempt, Row } from './row.ts'
import { rows as methodRows } from './section-2-6-method.ts'
import { rows as backupCodeRows } from './section-2-7-backup-codes.ts'
import { rows as stateRows } from './section-3-states.ts'
import { rows as statusRows } from './section-4-6-status.ts'
import { rows as addRows } from './section-4-7-add.ts'
import { rows as changeRows } from './section-4-7-change.ts'
import { rows as confirmRows } from './section-4-7-confirm.ts'
import { rows as loginRows } from './section-4-7-login.ts'
import { rows as removeRows } from './section-4-7-remove.ts'
import { rows as ruleRows } from './section-4-7-rules.ts'
import { rows as sendRows } from './section-4-7-send.ts'
import { rows as credentialRows } from './section-5-two-factor-credentials.ts'
import { exempt as exemptCodes, rows as codeRows } from './section-7-codes.ts'
import { exempt as exemptLimits, rows as limitRows } from './section-8-two-factor-limits.ts'

/** Everything about two-factor authentication. */
export const twoFactorRows: readonly Row[] = [
  ...methodRows,
  ...backupCodeRows,
  ...stateRows,
  ...statusRows,
  ...loginRows,
  ...removeRows,
  ...sendRows,
  ...addRows,
  ...confirmRows,
  ...changeRows,
  ...ruleRows,
  ...credentialRows,
  ...codeRows,
  ...limitRows,
]
export const twoFactorExempt: readonly Exempt[] = [...exemptCodes, ...exemptLimits]
