import { dialog, type BaseWindow } from 'electron'
import type { AppDependencies } from '../app/dependencies.ts'

/**
 * Lets the user choose files, or folders, of this computer in the system's own dialog: not on every system can
 * one dialog do both.
 *
 * @param window `null` before there is one
 */
export function createUploadChoice(window: () => BaseWindow | null): AppDependencies['chooseToUpload'] {
  return async (kind) => {
    const one = kind === 'files' ? ('openFile' as const) : ('openDirectory' as const)
    const options = { properties: [one, 'multiSelections' as const, 'showHiddenFiles' as const] }
    const parent = window()
    const { canceled, filePaths } = parent
      ? await dialog.showOpenDialog(parent, options)
      : await dialog.showOpenDialog(options)
    return canceled ? [] : filePaths
  }
}
