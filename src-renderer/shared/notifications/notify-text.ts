export const notifyLabel = 'Notify when done'

/**
 * The switch's accessible name, and what a mouse is told.
 *
 * @param subject what is to be done; `null` where its place says that
 * @param isKindOn whether the settings let such notifications through
 */
export function notifyText(subject: string | null, isKindOn: boolean) {
  return {
    label: subject === null ? notifyLabel : `${notifyLabel}: ${subject}`,
    title: isKindOn ? notifyLabel : `${notifyLabel} (off in Settings > Notifications)`,
  }
}
