import { formatNumber } from '#ui/format.ts'

/** About the rule that new instances get, in the settings and where one rents. */
export const idleRuleText = {
  newInstances:
    'Each instance that you rent on this computer gets an auto-stop rule, which runs on the instance even when this computer is off.',
  /** The switch where one rents. */
  label: (minutes: number): string => `Stop new instances when idle for ${formatNumber(minutes)} min`,
  rent: 'The rule runs on the instance, even when this computer is off, as soon as Slipway has connected by SSH. This setting applies to your next rentals, too.',
}
