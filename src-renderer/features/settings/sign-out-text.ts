import type { SignOutEffects } from '#domain/accounts/accounts.ts'
import { counted, plural } from '#domain/base/plural.ts'
import { formatUsdPerHour } from '#ui/format.ts'

/** What you're charged for after signing out. */
export function chargedText({ instances, perHourUsd }: SignOutEffects): string {
  if (instances === null) return 'You’re still charged for everything you rented.'
  if (instances === 0) return 'The service lists no instances.'
  const rate = perHourUsd === null ? '' : `, ${formatUsdPerHour(perHourUsd)}`
  const which = instances === 1 ? 'your instance' : `your ${counted(instances, 'instance')}`
  return `You’re still charged for ${which}${rate}. First destroy the instances that you don’t need.`
}

/** What Slipway does for the account now, and stops doing. */
export function endingTexts(effects: SignOutEffects): readonly string[] {
  const { guards, isTrying, autoRents, jobs, terminals, forwards, transfers } = effects
  return [
    ...(guards > 0
      ? [`${counted(guards, 'auto-stop rule')}: no instance is stopped or destroyed automatically`]
      : []),
    ...(isTrying ? ['Auto-retry: an instance that it has rented stays rented'] : []),
    ...(autoRents > 0 ? ['Auto-rent: instances that it has rented stay rented'] : []),
    ...(jobs > 0
      ? [
          `${counted(jobs, 'job')}: started commands keep running, and nothing is fetched from their instances`,
        ]
      : []),
    ...(terminals > 0 ? [`Terminals on ${counted(terminals, 'instance')}`] : []),
    ...(forwards > 0 ? [counted(forwards, 'port forward')] : []),
    ...(transfers > 0 ? [counted(transfers, 'transfer')] : []),
  ]
}

/** What is deleted from this computer. */
export function goingTexts({ editedCopies }: SignOutEffects): readonly string[] {
  return editedCopies > 0 ? [copiesText(editedCopies), ...alwaysGoing] : alwaysGoing
}

function copiesText(count: number): string {
  const [verb, them] = count === 1 ? ['isn’t', 'the file'] : ['aren’t', 'the files']
  return `${counted(count, 'file')} that you edited with your own editor and that ${verb} uploaded. To keep your changes, upload ${them} from Files, or save ${them} elsewhere first`
}

const alwaysGoing: readonly string[] = [
  'The API key, also in the keychain. It works until you delete it at the service',
  'The keys of its instances, and its 2FA session',
  'Saved searches, favorites, blocked offers, labels and notes, SSH routes, template drafts, and snippets',
  'Records of rented, stopped, and destroyed instances, saved terminals, and jobs with their logs',
  'Copies of instances’ files for your own editor, and files that a program saved beside them',
  'What Slipway counted of your spending, and your monthly budget. To keep the figures, export them in Spending first',
]

/** What is not deleted, because it is yours and not the account's, or could lock you out. */
export function stayingTexts({
  guardedInstances,
  oneTimePasswords,
  backupCodeSets,
}: SignOutEffects): readonly string[] {
  const codes = [
    ...(oneTimePasswords > 0 ? [counted(oneTimePasswords, 'one-time password')] : []),
    ...(backupCodeSets > 0 ? [counted(backupCodeSets, 'set of backup codes', 'sets of backup codes')] : []),
  ]
  return [
    ...(guardedInstances.length > 0 ? [rulesText(guardedInstances)] : []),
    ...(codes.length > 0 ? [`In the vault, for its 2FA: ${codes.join(' and ')}`] : []),
    'Your SSH key, host keys that you trust, settings, and the log',
    'Files in your own folders, and everything at the service',
  ]
}

/** Their key is theirs, so that they need neither Slipway nor the account's key. */
function rulesText(ids: readonly number[]): string {
  const all = new Intl.ListFormat('en', { type: 'conjunction' }).format(ids.map(String))
  return `Auto-stop rules on ${plural(ids.length, 'instance')} ${all}: they still run there. Remove the rules first if the ${plural(ids.length, 'instance')} should keep running`
}
