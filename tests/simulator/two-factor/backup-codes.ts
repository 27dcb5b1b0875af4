import { randomInt } from 'node:crypto'
import { BACKUP_CODES } from './limits.ts'
import { refusal } from './refusals.ts'
import type { TwoFactorState } from './state.ts'

/** Letters and digits that are not taken for each other. */
const CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Replaces all codes of the account with new ones, which are shown in the reply and never again. */
export function renewBackupCodes(state: TwoFactorState): readonly string[] {
  const codes = new Set<string>()
  while (codes.size < BACKUP_CODES) codes.add([newGroup(), newGroup(), newGroup()].join('-'))
  state.backupCodes = codes
  return [...codes]
}

/** Uses a code up; refuses one that is wrong or was used. */
export function spendBackupCode(state: TwoFactorState, code: string): void {
  const left = new Set(state.backupCodes)
  if (!left.delete(code)) throw refusal('invalid_backup_code', 'the backup code is wrong or was used')
  state.backupCodes = left
}

const newGroup = (): string =>
  Array.from({ length: 4 }, () => CHARACTERS.charAt(randomInt(CHARACTERS.length))).join('')
