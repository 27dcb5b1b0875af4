import { parsePhoneNumber } from '../../../domain/two-factor/methods.ts'
import type { FlowState } from './flow-state.ts'
import type { SmsLimits } from '../sms-limits.ts'

/** The number that was typed, as E.164; `null`: no code can be sent to it, and the refusal says why. */
export function readNumber(
  typed: string,
  { run, smsLimits }: { readonly run: FlowState; readonly smsLimits: SmsLimits },
): string | null {
  const number = parsePhoneNumber(typed)
  if (number !== null && !smsLimits.isRefused(number)) return number
  run.refuse(number === null ? { kind: 'shape', expected: 'phone-number' } : { kind: 'number-refused' })
  return null
}
