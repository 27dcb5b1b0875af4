import type { SignOutEffects } from '#domain/accounts/accounts.ts'
import { counted, plural } from '#domain/base/plural.ts'
import { formatUsdPerHour } from '#ui/format.ts'

/** What goes on without Slipway, and costs. */
export function chargedText({ instances, perHourUsd }: SignOutEffects): string {
  if (instances === null) return 'Whatever you rented goes on and is charged.'
  if (instances === 0) return 'There are no instances, so nothing goes on being charged.'
  const rate = perHourUsd === null ? '' : `, ${formatUsdPerHour(perHourUsd)}`
  const which = instances === 1 ? 'instance' : counted(instances, 'instance')
  const goOn = plural(instances, 'goes on and is', 'go on and are')
  return `Your ${which} ${goOn} charged${rate}. Destroy what you no longer need first.`
}

/** What Slipway does for the account now, and does no more. */
export function endingTexts(leaving: SignOutEffects): readonly string[] {
  const { guards, isTrying, terminals, forwards, transfers } = leaving
  return [
    ...(guards > 0
      ? [`${counted(guards, 'guard')}: nothing is stopped or destroyed by itself any more`]
      : []),
    ...(isTrying ? ['Trying machines until one runs: what is rented by then stays rented'] : []),
    ...(terminals > 0 ? [`Terminals on ${counted(terminals, 'instance')}`] : []),
    ...(forwards > 0 ? [counted(forwards, 'open forward')] : []),
    ...(transfers > 0 ? [counted(transfers, 'transfer')] : []),
  ]
}

/** What is deleted from this computer. */
export const goingTexts: readonly string[] = [
  'The API key, in the keychain too. It stays valid until you delete it in the service’s web console',
  'The keys of its instances, and the session of a login',
  'Saved searches, favorites, blocked offers, labels and notes, SSH routes, template drafts, saved commands',
  'The journals of what was rented, stopped and destroyed, and how its terminals stood',
]

/** What is not deleted, because it is yours and not the account's, or could lock you out. */
export function stayingTexts({ oneTimePasswords, backupCodeSets }: SignOutEffects): readonly string[] {
  const codes = [
    ...(oneTimePasswords > 0 ? [counted(oneTimePasswords, 'one-time password')] : []),
    ...(backupCodeSets > 0 ? [counted(backupCodeSets, 'set of backup codes', 'sets of backup codes')] : []),
  ]
  return [
    ...(codes.length > 0 ? [`Of its second factor, in the vault: ${codes.join(' and ')}`] : []),
    'Your SSH key, host keys that you trust, settings and the log',
    'Files that you saved or copied, and everything at the service',
  ]
}
