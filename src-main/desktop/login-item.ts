import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from 'electron'
import type { AppDependencies } from '../app/dependencies.ts'
import { startInTraySwitch } from './background.ts'

type LoginItem = AppDependencies['loginItem']

export interface LoginItemOptions {
  readonly app: Pick<App, 'isPackaged' | 'getLoginItemSettings' | 'setLoginItemSettings'>
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly execPath: string
  readonly homeFolder: string
}

/**
 * Slipway among what starts when its user logs in: macOS and Windows are asked by Electron; on Linux it is a file in the
 * folder of the XDG autostart specification. A start from the sources is none to be found there.
 */
export function createLoginItem(options: LoginItemOptions): LoginItem {
  if (!options.app.isPackaged)
    return {
      read: () => Promise.resolve('not-installed'),
      set: () => Promise.reject(new Error('Only an installed Slipway starts at login')),
    }
  return options.platform === 'linux' ? autostartFile(options) : systemItem(options)
}

function systemItem({ app, platform }: LoginItemOptions): LoginItem {
  // Windows tells an entry by its arguments.
  const item = platform === 'win32' ? { args: [startInTraySwitch] } : {}
  return {
    read: () => {
      const { openAtLogin, status } = app.getLoginItemSettings(item)
      if (status === 'requires-approval') return Promise.resolve('needs-approval')
      return Promise.resolve(openAtLogin ? 'on' : 'off')
    },
    set: (isOn) => {
      app.setLoginItemSettings({ ...item, openAtLogin: isOn })
      return Promise.resolve()
    },
  }
}

function autostartFile({ env, execPath, homeFolder }: LoginItemOptions): LoginItem {
  const folder = join(env['XDG_CONFIG_HOME'] ?? join(homeFolder, '.config'), 'autostart')
  const path = join(folder, 'slipway.desktop')
  return {
    read: async () => {
      const text = await readFile(path, 'utf8').catch(missing)
      // A desktop's own settings switch an entry off in place.
      const isOff = text === null || /^(?:Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(text)
      return isOff ? 'off' : 'on'
    },
    set: async (isOn) => {
      if (!isOn) return rm(path, { force: true })
      await mkdir(folder, { recursive: true })
      // An AppImage runs from a folder that is gone with it.
      await writeFile(path, autostartEntry(env['APPIMAGE'] ?? execPath))
    },
  }
}

/** A desktop entry that starts this program (Desktop Entry Specification, "The Exec key"). */
export function autostartEntry(program: string): string {
  const quoted = program.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')
  // In a value of a string type a backslash is itself escaped.
  const exec = `"${quoted}" ${startInTraySwitch}`.replaceAll('\\', '\\\\')
  return ['[Desktop Entry]', 'Type=Application', 'Name=Slipway', `Exec=${exec}`, 'Terminal=false', ''].join(
    '\n',
  )
}

function missing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
