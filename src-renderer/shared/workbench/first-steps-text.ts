import type { FirstStepKind } from '#domain/workbench/first-steps.ts'
import { formatUsdPerHour } from '#ui/format.ts'

export interface FirstStepText {
  readonly title: string
  /** What it costs, in one or two sentences. */
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
        cost: 'Free. The key lets Slipway act for you, and stays in your keychain.',
        to: '/welcome?step=connect',
      }
    case 'credit':
      return {
        title: 'Add credit',
        cost: 'You add it with the service, not here: its API has no call for that.',
        to: '/account',
      }
    case 'ssh-key':
      return {
        title: 'Create an SSH key',
        cost: 'Free. The key is created on this computer; instances get only its public half.',
        to: '/welcome?step=machine',
      }
    case 'rent':
      return { title: 'Rent your first machine', cost: rentCost(prices), to: '/offers' }
    case 'shell':
      return {
        title: 'Open a terminal',
        cost: shellCost(instance),
        to: instance?.isRunning === true ? `/terminals?open=${instance.id}` : '/instances',
      }
    case 'end':
      return {
        title: 'Stop or destroy the instance',
        cost: endCost(instance),
        to: instance === null ? '/instances' : `/instances/${instance.id}`,
      }
  }
}

function rentCost({ offerPerHourUsd }: FirstStepPrices): string {
  const rate =
    offerPerHourUsd === null
      ? 'the offer’s hourly price'
      : `${formatUsdPerHour(offerPerHourUsd)} for the offer that you viewed`
  return `You’re charged ${rate} from the moment you rent, including startup.`
}

function shellCost(instance: FirstStepPrices['instance']): string {
  const rate = instance?.perHourUsd ?? null
  const charge = rate === null ? 'for the instance' : `${formatUsdPerHour(rate)} for the instance`
  const wait = instance?.isRunning === false ? ' Startup usually takes 1–5 minutes.' : ''
  return `No extra charge. You’re charged ${charge} whether you’re connected or not.${wait}`
}

function endCost(instance: FirstStepPrices['instance']): string {
  const disk = instance?.diskPerHourUsd ?? null
  const rate = disk === null ? '' : ` ${formatUsdPerHour(disk)}`
  return `If you stop it, you’re still charged${rate} for its disk. If you destroy it, all charges end and its data is deleted.`
}
