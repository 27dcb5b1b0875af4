import { assertNever } from '#domain/base/assert-never.ts'
import { counted } from '#domain/base/plural.ts'
import type { CheckedItem, Comparison, MachineCheck } from '#domain/figures/machine-check.ts'
import type { MachineFailure } from '#domain/figures/machine-failure.ts'
import { connectionFailureText } from '#shared/ssh/connection-text.ts'
import { formatBytes, formatNumber, unknown } from '#ui/format.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'

export const checkText = {
  notYet: 'Slipway compares the instance with its offer when it first connects by SSH.',
  notRunning: 'Slipway compares the instance with its offer when it runs and first connects by SSH.',
  running: 'Checking…',
}

export const itemNames: Readonly<Record<CheckedItem, string>> = {
  gpus: 'GPUs',
  model: 'Model',
  gpuMemory: 'Memory per GPU',
  cores: 'Processors',
  memory: 'Memory',
  disk: 'Disk',
}

export const verdictNames: Readonly<Record<Comparison['verdict'], string>> = {
  'as-offered': 'As offered',
  differs: 'Differs',
  unknown: 'Unknown',
}

export function amountText(item: CheckedItem, amount: Comparison['found']): string {
  if (typeof amount !== 'number') return amount ?? unknown
  switch (item) {
    case 'gpus':
      return formatNumber(amount)
    case 'cores':
      return counted(amount, 'core')
    case 'gpuMemory':
    case 'memory':
    case 'disk':
      return formatBytes(amount)
    case 'model':
      return String(amount)
    default:
      return assertNever(item)
  }
}

/** A GPU tool that fails warns: the GPUs may not work, whatever else is there. */
export function checkTone({ comparisons, gpuTool }: MachineCheck): 'good' | 'neutral' | 'warning' {
  const verdicts = comparisons.map(({ verdict }) => verdict)
  if (gpuTool === 'fails' || verdicts.includes('differs')) return 'warning'
  return gpuTool === 'works' && verdicts.includes('as-offered') ? 'good' : 'neutral'
}

/** How it stands in one line. */
export function summaryText({ comparisons, gpuTool }: MachineCheck): string {
  const compared = comparedText(comparisons)
  if (gpuTool !== 'fails') return compared
  const rest = comparisons.every(({ verdict }) => verdict === 'unknown')
    ? ''
    : `. ${compared.replace(/^As offered/, 'Otherwise as offered')}`
  return `The GPU tool fails${rest}`
}

function comparedText(comparisons: readonly Comparison[]): string {
  const differing = comparisons.filter(({ verdict }) => verdict === 'differs')
  if (differing.length > 0) return `${counted(differing.length, 'difference')} from the offer`
  const isKnown = (one: Comparison): boolean => one.verdict === 'as-offered'
  if (comparisons.every(isKnown)) return 'As offered'
  return comparisons.some(isKnown) ? 'As offered, as far as Slipway can tell' : 'Couldn’t be compared'
}

/** Why nothing is known of the GPUs; `null` where something is. */
export function gpuToolText({ gpuTool }: MachineCheck): string | null {
  switch (gpuTool) {
    case 'works':
      return null
    case 'missing':
      return 'GPUs are unknown: the instance has neither nvidia-smi nor rocm-smi.'
    case 'fails':
      return 'GPUs are unknown and may not work. Figures show what the tool says.'
    default:
      return assertNever(gpuTool)
  }
}

/** @param machineId what the service calls the machine; `null` where it doesn't say */
export function differenceText(differing: readonly Comparison[], machineId: number | null): ProblemText {
  const each = differing.map(
    ({ item, offered, found }) =>
      `${itemNames[item]}: ${amountText(item, offered)} offered, ${amountText(item, found)} found.`,
  )
  return {
    title: 'The instance isn’t what was offered',
    meaning: `${each.join(' ')} You’re charged the full price while it runs.`,
    nextStep: `Keep it, or destroy it and find another.${machineId === null ? '' : ` Once it’s destroyed, Slipway blocks machine ${machineId} in Offers.`}`,
  }
}

/** Why it couldn't be found out. @param what was to be found out */
export function machineFailureText(failure: MachineFailure, what: 'check' | 'speed test'): ProblemText {
  switch (failure.kind) {
    case 'not-connected':
      return { ...connectionFailureText(failure.failure, 'try again'), canRetry: true }
    case 'channel-refused':
      return {
        title: `The instance’s SSH server opened no channel for the ${what}`,
        meaning: 'Terminals and files keep working. It may limit how many are open at once.',
        nextStep: 'Close a terminal or transfer of this instance, then try again.',
        canRetry: true,
      }
    case 'link-lost':
      return {
        title: `The connection was lost during the ${what}`,
        meaning: 'The instance may still run, and you may be charged.',
        nextStep: 'Try again.',
        canRetry: true,
      }
    case 'nothing-said':
      return {
        title: `The instance didn’t answer the ${what}`,
        meaning:
          'It may have no shell, lack basic programs, or be very busy. It may still run, and you may be charged.',
        nextStep: 'Try again, or open a terminal.',
        canRetry: true,
      }
    default:
      return assertNever(failure)
  }
}
