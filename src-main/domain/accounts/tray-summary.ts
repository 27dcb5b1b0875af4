import { formatLocale } from '../base/format-locale.ts'
import { visibleText } from '../fields/field-format.ts'
import { labelOf } from '../instances/instance-label.ts'
import { outlookOf } from '../instances/instance-status.ts'
import type { GuardView } from '../guards/guard.ts'
import { actionWords } from '../instances/action-words.ts'
import type { ActionKind } from '../instances/instance.ts'
import type { ListedInstance } from '../instances/listed-instance.ts'
import { boundOf, boundWords, burnPerHourUsd, formatUsdPerHour, type SumBound } from '../money/money.ts'
import { counted, plural } from '../base/plural.ts'

/** What is seen of all accounts without opening the window. No secret is in it. */
export interface TraySummary {
  /** `null` while a list is not known. */
  readonly perHourUsd: number | null
  readonly bound: SumBound
  readonly running: number
  /** All that are set; of some it cannot be said when they act. */
  readonly guards: number
  readonly nextGuard: {
    /** ms since the epoch */
    readonly dueAt: number
    readonly action: ActionKind
    readonly instance: string
  } | null
}

export const emptyTraySummary: TraySummary = {
  perHourUsd: 0,
  bound: 'exact',
  running: 0,
  guards: 0,
  nextGuard: null,
}

/** What an account puts into the tray summary. */
export interface SummarizedAccount {
  /** `null` while no account is connected. */
  readonly serviceAddress: string | null
  /** `null` before the first list. */
  readonly instances: readonly ListedInstance[] | null
  /** How many records of the list can't be read. */
  readonly unreadable: number
  readonly guards: readonly GuardView[]
}

export function traySummaryOf(accounts: readonly SummarizedAccount[]): TraySummary {
  const lists = distinctLists(accounts)
  const burns = accounts.map(({ unreadable }, index) => burnPerHourUsd(lists[index] ?? null, unreadable))
  const known = burns.filter((burn) => burn.kind === 'known')
  const isRunning = (instance: ListedInstance): boolean => outlookOf(instance).kind === 'ready'
  const [next] = accounts
    .flatMap(({ instances, guards }) =>
      guards.flatMap(({ dueAt, action, instanceId }) =>
        dueAt === null ? [] : [{ dueAt, action, instance: nameOf(instances ?? [], instanceId) }],
      ),
    )
    .sort((one, other) => one.dueAt - other.dueAt)
  return {
    perHourUsd:
      accounts.length > 0 && known.length === 0
        ? null
        : known.reduce((sum, { perHourUsd }) => sum + perHourUsd, 0),
    bound: boundOfAll(burns.map((burn, index) => boundOf(burn, (accounts[index]?.unreadable ?? 0) > 0))),
    running: lists.reduce((sum, instances) => sum + (instances ?? []).filter(isRunning).length, 0),
    guards: accounts.reduce((sum, { guards }) => sum + guards.length, 0),
    nextGuard: next ?? null,
  }
}

function boundOfAll(bounds: readonly SumBound[]): SumBound {
  return (['about', 'at-least'] as const).find((bound) => bounds.includes(bound)) ?? 'exact'
}

/**
 * Each instance in the first list that has it: several accounts may be of one user, each by a key of its own. An ID is
 * its service's.
 */
function distinctLists(
  accounts: readonly SummarizedAccount[],
): readonly (readonly ListedInstance[] | null)[] {
  return accounts.map(({ serviceAddress, instances }, index) => {
    const earlier = accounts.slice(0, index).filter((one) => one.serviceAddress === serviceAddress)
    const before = new Set(earlier.flatMap((one) => (one.instances ?? []).map(({ id }) => id)))
    return instances?.filter(({ id }) => !before.has(id)) ?? null
  })
}

/** A label is anybody's text: what could reorder or hide text is shown, and it ends. */
const longestName = 40

function nameOf(instances: readonly ListedInstance[], id: number): string {
  const instance = instances.find((one) => one.id === id)
  const label = instance === undefined ? null : labelOf(instance)
  if (label === null) return `instance ${id}`
  const text = visibleText(label).replace(/\s+/g, ' ')
  return text.length > longestName ? `${text.slice(0, longestName - 1)}…` : text
}

/** The tray summary in lines: what is spent, what runs, what a guard does next. @param timeText of a time in ms since the epoch */
export function traySummaryLines(
  traySummary: TraySummary,
  timeText: (ms: number) => string,
): readonly string[] {
  const { perHourUsd, bound, running, guards, nextGuard } = traySummary
  const rate = formatUsdPerHour(perHourUsd)
  return [
    perHourUsd === null ? 'Spending unknown' : `Spending ${boundWords[bound]}${rate}`,
    `${running === 0 ? 'No instances' : counted(running, 'instance')} ${plural(running, 'is', 'are')} running`,
    nextGuard === null
      ? waitingText(guards)
      : `Auto-stop rule ${actionWords[nextGuard.action].does} ${nextGuard.instance}: ${timeText(nextGuard.dueAt)}`,
  ]
}

/** A guard that acts when nobody is connected has no time while somebody is. */
function waitingText(guards: number): string {
  if (guards === 0) return 'No auto-stop rules'
  return `${counted(guards, 'auto-stop rule')}, no time set`
}

/** `Sat, Nov 21, 18:30`, in the time zone of this computer and the user's locale: a guard may be set for weeks from now. */
export function dueTimeText(ms: number, locale = formatLocale()): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short' } as const
  return new Intl.DateTimeFormat(locale, {
    ...day,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(ms)
}
