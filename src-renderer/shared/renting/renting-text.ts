/** The sentences of the parts of rentals that several forms have. */
export const rentingText = {
  templateHelp: 'Fills in the fields you leave empty.',
  imageHelp: 'A container image, with its tag.',
  imageEmpty: 'Leave empty to use the template’s image.',
  noImage: 'Enter an image such as ubuntu:24.04, or choose a template.',
  imageSpaces: 'An image name can’t contain spaces.',
  imageLong: 'The image name is too long.',
  diskCharge: 'You’re charged for the disk until you destroy the instance.',
  keyMissing: 'No SSH key on this computer yet. Create an SSH key, or turn this off.',
  keyUnreadable: 'Can’t read the private key: see Settings',
} as const

/** What the fields of auto-retry take. */
export const retryPlanText = {
  cap: 'Includes the disk. Slipway skips offers above this price.',
  noCap: 'Enter the highest price.',
  machines: 'Enter a whole number from 1 to 20.',
  price: 'Enter a price above 0, such as 0.5.',
  bootMinutes: 'Enter 1–240 minutes.',
  giveUpHours: 'Enter 1 minute to 168 hours.',
  usualBoot: 'Startup usually takes 1–5 minutes.',
  afterwards: 'Slipway rents nothing more after that.',
} as const

/** How the key gets onto the instance. @param onAccount whether the account has it; nothing when that isn't known */
export function keyText(hasKey: boolean, onAccount: boolean | null | undefined): string {
  const adds = 'Adds your public key through the start script.'
  if (!hasKey) return adds
  switch (onAccount) {
    case true:
      return `${adds} Your account has this key, but the API doesn’t say whether instances accept it.`
    case false:
      return `${adds} Your account doesn’t have this key.`
    default:
      return `${adds} Slipway doesn’t know whether your account has this key.`
  }
}
