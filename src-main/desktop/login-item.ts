import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from 'electron'
import type { AppDependencies } from '../app/dependencies.ts'
import type { StartAtLogin } from '../domain/settings/start-at-login.ts'
import { startInTraySwitch } from './background.ts'
import { isFlatpak, isOwnAppImage } from './updater.ts'

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
 * folder of the XDG autostart specification. A start from the sources isn't one to be found there.
 */
export function createLoginItem(options: LoginItemOptions): LoginItem {
  if (!options.app.isPackaged) return unavailable('not-installed')
  // Its folder for settings is its own, which no desktop reads.
  if (isFlatpak(options)) return unavailable('flatpak')
  return options.platform === 'linux' ? autostartFile(options) : systemItem(options)
}

function unavailable(why: StartAtLogin): LoginItem {
  return { read: () => Promise.resolve(why), set: () => Promise.reject(new Error(why)) }
}

function systemItem({ app, platform }: LoginItemOptions): LoginItem {
  // Windows tells an entry by its arguments.
  const item = platform === 'win32' ? { args: [startInTraySwitch] } : {}
  return {
    read: () => {
      const { openAtLogin, launchItems, status } = app.getLoginItemSettings(item)
      if (status === 'requires-approval') return Promise.resolve('needs-approval')
      // Windows keeps an entry that its own settings have switched off.
      const isOff =
        platform === 'win32' && launchItems.some(({ scope, enabled }) => scope === 'user' && !enabled)
      return Promise.resolve(openAtLogin && !isOff ? 'on' : 'off')
    },
    set: (isOn) => {
      app.setLoginItemSettings({ ...item, openAtLogin: isOn })
      return Promise.resolve()
    },
  }
}

function autostartFile(options: LoginItemOptions): LoginItem {
  const { env, execPath, homeFolder } = options
  const folder = join(env['XDG_CONFIG_HOME'] || join(homeFolder, '.config'), 'autostart')
  const path = join(folder, 'slipway.desktop')
  // What an AppImage runs from is a folder that is gone with it.
  const program = isOwnAppImage(options) ? (env['APPIMAGE'] ?? execPath) : execPath
  const write = (): Promise<void> => writeFile(path, autostartEntry(program))

  /** An update of an AppImage has another name than the file that it takes the place of. */
  async function follow(): Promise<void> {
    const named = programOf(await readFile(path, 'utf8').catch(missing))
    if (named !== null && named !== program && !existsSync(named)) await write()
  }
  const followed = follow()
  // Told by whoever asks.
  followed.catch(() => undefined)

  return {
    read: async () => {
      await followed
      return programOf(await readFile(path, 'utf8').catch(missing)) === program ? 'on' : 'off'
    },
    set: async (isOn) => {
      if (!isOn) return rm(path, { force: true })
      await mkdir(folder, { recursive: true })
      await write()
    },
  }
}

/** A desktop entry that starts this program (Desktop Entry Specification, "The Exec key"). */
export function autostartEntry(program: string): string {
  const quoted = program.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')
  const lines = {
    Type: 'Application',
    Name: 'Slipway',
    TryExec: program,
    Exec: `"${quoted}" ${startInTraySwitch}`,
    Terminal: 'false',
  }
  // In a value a backslash is itself escaped.
  const text = Object.entries(lines).map(([key, value]) => `${key}=${value.replaceAll('\\', '\\\\')}\n`)
  return `[Desktop Entry]\n${text.join('')}`
}

/** What an entry starts; `null` where there is none, or one that a desktop's own settings have switched off in place. */
function programOf(entry: string | null): string | null {
  if (entry === null || /^(?:Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(entry)) return null
  return /^TryExec=(.+)$/m.exec(entry)?.[1]?.replaceAll('\\\\', '\\') ?? null
}

function missing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
