import { Menu } from 'electron'

/**
 * macOS needs a menu for copy, paste and quit to have keys. Elsewhere there is none: Electron's default menu
 * takes Ctrl+R and Ctrl+W, which belong to the shell in a terminal.
 */
export function setMenu(platform: NodeJS.Platform): void {
  if (platform !== 'darwin') {
    Menu.setApplicationMenu(null)
    return
  }
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }]),
  )
}
