import type { FirstStepKind } from '#domain/workbench/first-steps.ts'
import { formatUsdPerHour } from '#ui/format.ts'

export interface FirstStepText {
  readonly title: string
  /** What it costs, as one sentence. */
  readonly cost: string
  /** The page where it is done. */
  readonly to: string
}

/** What is known of prices and of the machine that a newcomer has. */
export interface FirstStepPrices {
  /** Of the offer that was looked at last, with its disk. */
  readonly offerPerHourUsd: number | null
  /** An instance of the account, the one that a shell can be opened on first. */
  readonly instance: {
    readonly id: number
    readonly isRunning: boolean
    readonly perHourUsd: number | null
    readonly diskPerHourUsd: number | null
  } | null
}

export function firstStepText(kind: FirstStepKind, prices: FirstStepPrices): FirstStepText {
  const { instance } = prices
  switch (kind) {
    case 'connect':
      return {
        title: 'Connect your key',
        cost: 'Costs nothing: a key only lets Slipway speak for you, and it stays in your keychain.',
        to: '/welcome?step=connect',
      }
    case 'credit':
      return {
        title: 'Have credit',
        cost: 'You decide how much. You add it with the service, not here, and nothing of it is charged before you rent.',
        to: '/account',
      }
    case 'ssh-key':
      return {
        title: 'Have an SSH key',
        cost: 'Costs nothing: it is made on this computer, and machines get its public half.',
        to: '/welcome?step=machine',
      }
    case 'rent':
      return { title: 'Rent your first machine', cost: rentCost(prices), to: '/offers' }
    case 'shell':
      return {
        title: 'Open a shell on it',
        cost: shellCost(instance),
        to: instance?.isRunning === true ? `/terminals?open=${instance.id}` : '/instances',
      }
    case 'end':
      return {
        title: 'Stop or destroy it when you are done',
        cost: endCost(instance),
        to: instance === null ? '/instances' : `/instances/${instance.id}`,
      }
  }
}

function rentCost({ offerPerHourUsd }: FirstStepPrices): string {
  const rate =
    offerPerHourUsd === null
      ? 'Costs the price per hour of the offer that you choose'
      : `Costs ${formatUsdPerHour(offerPerHourUsd)} with the offer that you looked at`
  return `${rate}, from the moment you rent it, also while it gets ready.`
}

function shellCost(instance: FirstStepPrices['instance']): string {
  const rate = instance?.perHourUsd ?? null
  const running = rate === null ? 'The machine is charged' : `The machine costs ${formatUsdPerHour(rate)}`
  const wait = instance?.isRunning === false ? ' Getting ready takes one to five minutes.' : ''
  return `Costs nothing more. ${running} whether you are connected or not.${wait}`
}

function endCost(instance: FirstStepPrices['instance']): string {
  const disk = instance?.diskPerHourUsd ?? null
  const rate = disk === null ? '' : `, ${formatUsdPerHour(disk)}`
  return `After a stop you still pay for its disk${rate}. Destroying it ends all cost, and what is on it is gone.`
}
