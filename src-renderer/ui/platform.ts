/** Whether the keys are those of a Mac. */
export const isMac = navigator.userAgent.includes('Macintosh')
