import type { AccountColor, AccountConcern, AccountLine } from '#domain/accounts/accounts.ts'
import { boundWords } from '#domain/money/money.ts'
import { formatUsdPerHour, unknown } from '#ui/format.ts'

export const colorNames: Readonly<Record<AccountColor, string>> = {
  teal: 'Teal',
  blue: 'Blue',
  violet: 'Violet',
  pink: 'Pink',
  brown: 'Brown',
  slate: 'Slate',
}

/** Written out: Tailwind makes no class that it has not seen. */
export const colorClasses: Readonly<Record<AccountColor, string>> = {
  teal: 'bg-teal-500',
  blue: 'bg-blue-500',
  violet: 'bg-violet-500',
  pink: 'bg-pink-500',
  brown: 'bg-[oklch(0.55_0.08_55)]',
  slate: 'bg-slate-500',
}

const concerns: Readonly<Record<AccountConcern, string>> = {
  key: 'Can’t use the API key',
  decision: 'Rental needs your decision',
  credit: 'Low credit',
  unattended: 'Instance runs with no connection',
  unreachable: 'Service unreachable',
}

/** Why somebody should look at the account, the most urgent reason only; `null` when all is well. */
export function concernText({ concerns: [first] }: Pick<AccountLine, 'concerns'>): string | null {
  return first === undefined ? null : concerns[first]
}

/** What is charged for the account now. */
export function burnText({ perHourUsd, bound }: Pick<AccountLine, 'perHourUsd' | 'bound'>): string {
  if (perHourUsd === null) return `${unknown}/h`
  return `${boundWords[bound]}${formatUsdPerHour(perHourUsd)}`
}
