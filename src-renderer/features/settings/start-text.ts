/** The sentences of “Start and desktop”. */
export const startTexts = {
  restorePage: 'For each account. Otherwise Slipway starts with offers.',
  tray: 'Shows spending per hour, running instances, and the next auto-stop rule without opening the window. Not every Linux desktop shows tray icons.',
  keepInTray:
    'When you close the window while auto-stop rules are set, or auto-retry or auto-rent is on, Slipway keeps running in the tray. To open the window, select the icon or start Slipway again.',
  noTray: 'Needs the tray icon.',
  atLoginLabel: 'Start at login',
  atLogin:
    'Starts Slipway when you log in to this computer, so that auto-stop rules run again. With “Keep running in tray” it starts without its window.',
  needsApproval:
    'Waiting for your approval: in macOS System Settings, under General > Login Items, allow Slipway.',
  refused:
    'The system didn’t accept this. Add Slipway to the apps that start at login in the system’s own settings.',
  notInstalled: 'Available when Slipway is installed. This one runs from its sources.',
  flatpak: 'Not available in the Flatpak. Add Slipway to your desktop’s startup applications instead.',
} as const
