/** Whether the keys are those of a Mac. */
export const isMac = navigator.userAgent.includes('Macintosh')

export type DesktopSystem = 'mac' | 'windows' | 'linux'

/** Which system's words are used. */
export const desktopSystem: DesktopSystem = systemOf(navigator.userAgent)

function systemOf(userAgent: string): DesktopSystem {
  if (isMac) return 'mac'
  return userAgent.includes('Windows') ? 'windows' : 'linux'
}
