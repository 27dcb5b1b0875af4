import { assertNever } from '#domain/base/assert-never.ts'
import { knownRate, type FieldRecord } from '#domain/fields/field-format.ts'
import {
  speedLimits,
  type SpeedOutcome,
  type SpeedPart,
  type SpeedTestView,
} from '#domain/figures/speed-test.ts'
import { totalCost } from '#domain/money/total-cost.ts'
import { formatBytes, formatNumber, formatSpentUsd, formatUsd, unknown } from '#ui/format.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'
import { machineFailureText } from './check-text.ts'

const { seconds, diskMebibytes, networkBytes } = speedLimits

export const speedText = {
  about: `Writes at most ${formatBytes(diskMebibytes * 1024 * 1024)}, and at most a quarter of what’s free, to the instance’s disk, then moves at most ${formatBytes(networkBytes)} each way between the instance and this computer: about ${seconds} seconds each. Terminals and transfers of this instance may be slower meanwhile.`,
  notRunning: 'Slipway measures the speed while the instance is running.',
  network:
    'The connection is measured between this computer and the instance, over SSH: your own network may be the slower end, and tests of several instances at once share it. Reading from the disk isn’t measured, because the instance’s memory would answer.',
  cached:
    'The instance’s tools can’t wait for the disk, so its memory may have taken part of what was written.',
}

export const partNames: Readonly<Record<SpeedPart, string>> = {
  disk: 'Disk, writing',
  down: 'Instance to this computer',
  up: 'This computer to instance',
}

/** What the traffic costs at the prices of the instance's record. What it sends is its upload. */
export function trafficText(record: FieldRecord): string {
  const gigabytes = networkBytes / 1e9
  const { parts, total } = totalCost(record, { hours: 0, diskGb: 0, upGb: gigabytes, downGb: gigabytes })
  const known = [parts.up, parts.down].filter(({ kind }) => kind === 'known')
  if (known.length === 0 || total === null) return 'The price of its traffic is unknown.'
  if (known.length === 1)
    return total.usd === 0
      ? 'The price of its traffic is unknown one way. The other way isn’t charged.'
      : `You’re charged at least ${formatSpentUsd(total.usd)} for its traffic: one way has no known price.`
  if (total.usd === 0) return 'Its traffic isn’t charged.'
  return total.usd < 0.01
    ? `You’re charged less than ${formatUsd(0.01)} for its traffic.`
    : `You’re charged about ${formatUsd(total.usd)} for its traffic.`
}

const offeredFields: Readonly<Record<SpeedPart, string>> = {
  disk: 'disk_bw',
  down: 'inet_up',
  up: 'inet_down',
}

/** What the service lists: of the disk in MB/s, of the network in Mb/s. */
export function offeredText(part: SpeedPart, record: FieldRecord): string {
  const offered = knownRate(record, offeredFields[part])
  return offered === null ? unknown : `${formatNumber(offered)} ${part === 'disk' ? 'MB/s' : 'Mb/s'}`
}

export function outcomeText(part: SpeedPart, outcome: SpeedOutcome): string {
  switch (outcome.kind) {
    case 'measured': {
      const megabytes = outcome.bytesPerSecond / 1e6
      const [value, unit] = part === 'disk' ? [megabytes, 'MB/s'] : [megabytes * 8, 'Mb/s']
      return `${formatNumber(value, value < 10 ? 1 : 0)} ${unit}`
    }
    case 'refused':
      return refusals[outcome.why]
    case 'unmeasured':
      return 'Couldn’t be measured'
    default:
      return assertNever(outcome)
  }
}

const refusals: Readonly<Record<Extract<SpeedOutcome, { kind: 'refused' }>['why'], string>> = {
  'no-room': 'Not measured: less than 340 MB of the disk is free',
  'no-folder': 'Not measured: no folder on the disk can be written to',
  'no-proc': 'Not measured: the instance has no /proc',
}

export function canceledText({ isLeft }: Extract<SpeedTestView['state'], { kind: 'canceled' }>): string {
  return `Canceled. ${isLeft ? stillWritten : 'Nothing is left on the instance.'}`
}

const stillWritten =
  'What was written has no name on the disk: it’s deleted when writing ends, a few seconds later.'

/** What is done now. */
export function progressText(part: SpeedPart | null): string {
  return part === null ? 'Connecting…' : `${partNames[part]}…`
}

export function speedFailedText(state: Extract<SpeedTestView['state'], { kind: 'failed' }>): ProblemText {
  const text = machineFailureText(state.failure, 'speed test')
  if (state.failure.kind !== 'link-lost') return text
  const left = state.part === 'disk' ? stillWritten : 'Nothing of the test is left on the instance.'
  return { ...text, meaning: `${left} ${text.meaning}` }
}
