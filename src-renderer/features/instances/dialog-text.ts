import type { WatchedInstance } from '#domain/instances/instance.ts'
import { computePerHourUsd } from '#domain/money/money.ts'
import { formatUsdPerHour } from '#ui/format.ts'
import { diskChargeText } from './instance-text.ts'

/** What stopping does: to what runs, and to the bill. */
export function stopText(instance: WatchedInstance): { readonly ends: string; readonly charge: string } {
  const rate = computePerHourUsd(instance.record)
  const now = rate === null ? '' : `You’re charged ${formatUsdPerHour(rate)} now. `
  return {
    ends: 'Running processes end, and you’re no longer charged for computing. The disk stays. Slipway can’t start the instance again: the service’s API has no request for that.',
    charge: `${now}Once stopped, ${diskChargeText(instance)} until you destroy the instance.`,
  }
}

export const destroyText =
  'The instance and everything on its disk are deleted. You can’t undo this. All charges end.'

/** What taking rules from an instance does that other computers have set there. */
export const removeRulesText = {
  effect:
    'Slipway removes every auto-stop rule from the instance, including rules set from your other computers. You can’t undo this.',
  stays:
    'Rules that you set on this computer are then added again, and their idle time starts over. Without other rules, nothing stops the instance automatically, and you’re charged while it runs.',
} as const

/** What to know before a port opens in the browser. */
export const portText = {
  http: 'Plain HTTP: others on the network can read and change what you send and see, including passwords and tokens.',
  https: 'Your browser may warn about the certificate, because instances usually create their own.',
} as const

export const removeKeyText = {
  effect:
    'Slipway deletes the key from this computer. You can’t undo this: the service returns the key only when you rent.',
  stays:
    'The key isn’t revoked. The instance still has it in CONTAINER_API_KEY, and anyone with a copy can use it. When you stop or destroy the instance, Slipway uses your account’s API key.',
  rules:
    'Auto-stop rules that are active on the instance keep their own copy. Rules that you add or change later, and all rules after the instance restarts, need the key from CONTAINER_API_KEY. If it can’t be read there, they don’t start.',
} as const

export const revealKeyText =
  'Anyone who sees this key can start, stop, or destroy this instance, and nothing else.'

/** What happens to the user's own SSH configuration. */
export const sshConfigText = {
  remove: 'Slipway removes this line and its own file. The rest of your file doesn’t change.',
  add: 'Slipway adds the line at the top of your file. The rest of the file doesn’t change, now or later.',
} as const
