import type { ProblemText } from '#ui/problems/problem-text.ts'

/** The sentences of the rent sheet; short labels stand in its components. */
export const rentText = {
  unreadFlags: 'The template has flags that Slipway can’t read:',
  filtersHelp:
    'Merged with the template’s filters by field; yours win. The API doesn’t say how these filters affect the chosen offer.',
  templateMissing: 'The template no longer exists, or this account can’t see it.',
  environmentEmpty:
    'No variables or ports added. A template’s own apply, and values here override the template’s.',
  environmentWrong: 'Fix or remove the marked rows.',
  saveKey:
    'This key can only start, stop, or destroy this instance. Slipway stores it in the keychain until the instance is gone, and shows it once after renting.',
  volumeHint: 'The template suggests a volume, but nothing is attached unless you choose a volume here.',
  volumeCharge:
    'The API doesn’t say what you’re charged for a volume, or whether destroying the instance deletes it. Ask the service.',
  volumeIncomplete: 'Complete the volume, or choose “No volume”.',
  volumeId: 'Enter the ID, a whole number.',
  mountPath: 'Enter a folder in the container, such as /data.',
  templateScript: 'This is the template’s script.',
  ownScript: 'Replaces the template’s script.',
  noPrice: 'Price unknown: the offer doesn’t include a price.',
  noDiskPrice:
    'The disk’s price is unknown. If the instance stops or fails, you’re still charged for its disk until you destroy it.',
  incomplete: 'Incomplete: missing and invalid values aren’t included.',
  exact: 'Renting sends exactly this request.',
  unseen: {
    title: 'Your search no longer finds this offer',
    meaning: 'The offer may be gone, or its price may have gone up. Nothing was rented or charged.',
    nextStep: 'Choose another offer, or rent at the current price, which Slipway doesn’t know.',
  },
  renting: 'Renting… This can take a minute. Slipway sends the request only once.',
  lostKey: 'The instance’s API key was in the lost reply. The instance has it as CONTAINER_API_KEY.',
} as const

/** Why an offer wasn't rented as it was shown. Both prices as they're shown. */
export function priceUpText(before: string, now: string): ProblemText {
  return {
    title: 'The price went up',
    meaning: `It went from ${before} to ${now}. Nothing was rented or charged.`,
    nextStep: 'Rent at the new price, or choose another offer.',
  }
}

/** What auto-retry does. */
export const retryText = {
  about:
    'If an instance exits, goes offline, or takes too long to start, Slipway destroys it. When the list shows that it’s gone, Slipway rents the next offer of your search. You never have two at once.',
  off: 'Off: if the instance doesn’t start, you’re charged for its disk until you destroy it.',
  open: 'Auto-retry runs while Slipway is open or in the tray, also after a restart. To see its history or stop it, open Instances.',
  noInstanceKey: 'Auto-retry doesn’t save the instance’s API key, because the instance may be replaced.',
  noNewVolume:
    'Auto-retry can’t create a volume: each attempt would create one, and you may be charged for each.',
  noCap: 'Price unknown: enter the highest price.',
} as const

/** What a script that's too long can do. */
const shorten = 'Shorten it, or have it download the rest.'

/** @param most as it's shown */
export function longScriptText(most: string): string {
  return `The script is longer than ${most} characters. ${shorten}`
}

/** The same of a script as it's sent. */
export function longPackedText(excess: string, most: string): string {
  return `Even compressed, the script is ${excess} characters over the limit of ${most}. ${shorten}`
}
