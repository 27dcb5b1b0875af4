/** The sentences of the sheet that replaces an instance. */
export const replaceText = {
  about:
    'In this state, an instance never runs again, and you’re charged for its disk until it’s destroyed. Slipway destroys the instance and everything on its disk. When the list of instances has shown twice that it’s gone, Slipway rents the next offer. You’re never charged for both at once.',
  notDead: 'Slipway replaces only instances that are listed as exited, offline, or without a heartbeat.',
  known: 'Saved when this computer rented the instance.',
  unknown:
    'This computer has no saved request for the instance. Slipway fills in the image and disk if the instance’s record has them. Enter the rest.',
} as const
