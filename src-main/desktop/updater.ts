import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { AppImageUpdater, BaseUpdater, MacUpdater, NsisUpdater, type AppUpdater } from 'electron-updater'
import { z } from 'zod'
import type { AppDependencies } from '../app/dependencies.ts'
import type { Log } from '../domain/base/log.ts'
import { LoginAttempt, type ProxyLogins } from './network/proxy-logins.ts'

type UpdateSource = ReturnType<AppDependencies['updates']['source']>
type UpdateEngine = Extract<UpdateSource, { kind: 'engine' }>['engine']

export interface UpdaterOptions {
  readonly platform: NodeJS.Platform
  readonly arch: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly execPath: string
  /** Where the program's package.json is. */
  readonly appPath: string
  /** Called before it: from now on the program ends without asking anything more. */
  readonly onInstall: () => void
  /** Called when nothing came of it: the program goes on. */
  readonly onNotInstalled: () => void
  /** Ends Slipway in good order, and calls this when nothing of it is at work any more. */
  readonly quitThen: (last: () => void) => void
  readonly logins: ProxyLogins
  readonly log: Log
}

/** What `npm run dist` puts into the package's package.json (build/README.md, "Releases"). */
const manifest = z.object({ updates: z.object({ publicKey: z.string().min(1) }).optional() })

/** Where this build gets updates from; the address is in app-update.yml, which electron-updater reads. */
export function findUpdateSource(options: UpdaterOptions): UpdateSource {
  const { platform, arch, env, execPath, appPath } = options
  // Before all else: where it came from is known here, however it was built.
  if (isFlatpak({ platform, env, execPath })) return { kind: 'none', why: 'flatpak' }
  const { updates } = manifest.parse(JSON.parse(readFileSync(join(appPath, 'package.json'), 'utf8')))
  if (updates === undefined) return { kind: 'none', why: 'not-configured' }
  // deb and rpm are the system's business.
  if (platform === 'linux' && !isOwnAppImage(options)) return { kind: 'none', why: 'not-by-itself' }
  const engine = createUpdateEngine(updaterOf(platform), options)
  return { kind: 'engine', engine, publicKey: updates.publicKey, computer: { platform, arch } }
}

/**
 * Whether this program runs out of the AppImage that its environment names. Another one's variables are there when
 * Slipway was installed as a package and started from a terminal that is an AppImage itself: an update would delete that
 * file, and stand in its place.
 */
export function isOwnAppImage({
  env,
  execPath,
}: {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Of this program, without links in it. */
  readonly execPath: string
}): boolean {
  // The runtime of an AppImage says where its file is, and where it has laid out what is in it.
  const [file, folder] = [env['APPIMAGE'], env['APPDIR']]
  if (!file || !folder || !existsSync(folder)) return false
  return execPath.startsWith(`${realpathSync(folder)}/`)
}

/** A terminal that is a Flatpak itself hands its variables on, but not its folder. */
export function isFlatpak({
  platform,
  env,
  execPath,
}: Pick<UpdaterOptions, 'platform' | 'env' | 'execPath'>): boolean {
  return platform === 'linux' && Boolean(env['FLATPAK_ID']) && execPath.startsWith('/app/')
}

function updaterOf(platform: NodeJS.Platform): AppUpdater {
  switch (platform) {
    case 'darwin':
      return new MacUpdater()
    case 'win32':
      return new NsisUpdater()
    default:
      return new AppImageUpdater()
  }
}

/** electron-updater, which does nothing by itself any more. */
export function createUpdateEngine(
  updater: AppUpdater,
  {
    onInstall,
    onNotInstalled,
    quitThen,
    logins,
    log,
  }: Pick<UpdaterOptions, 'onInstall' | 'onNotInstalled' | 'quitThen' | 'logins' | 'log'>,
): UpdateEngine {
  updater.autoDownload = false
  updater.autoInstallOnAppQuit = false
  updater.allowPrerelease = false
  // Would load further programs, of which the signed release says nothing.
  updater.disableWebInstaller = true
  updater.disableDifferentialDownload = true
  // It would send a number that tells this installation from all others.
  updater.requestHeaders = { 'x-user-staging-id': 'none' }
  updater.logger = { info: say, warn: say, error: say }
  let attempt = new LoginAttempt(logins)
  // Without it, a request that a proxy has stopped would wait for an answer for ever.
  updater.on('login', (challenge, callback) => {
    // Its typings forget that it may be given nothing, too.
    const asking: { give(name?: string, password?: string): void } = { give: callback }
    attempt.answer(challenge, (...login) => asking.give(...login))
  })
  return {
    look: async (channel) => {
      attempt = new LoginAttempt(logins)
      // Otherwise a build of a pre-release would look where pre-releases are, whatever its user has chosen.
      updater.channel = channel
      // To electron-updater, another channel is a wish to go back to an older version.
      updater.allowDowngrade = false
      const result = await updater.checkForUpdates()
      if (result === null) throw new Error('This installation cannot update itself')
      return result.updateInfo
    },
    download: async (onPercent) => {
      const tell = ({ percent }: { readonly percent: number }): void => onPercent(Math.floor(percent))
      updater.on('download-progress', tell)
      attempt = new LoginAttempt(logins)
      try {
        await updater.downloadUpdate()
      } finally {
        updater.off('download-progress', tell)
      }
    },
    install: async () => {
      onInstall()
      if (updater instanceof BaseUpdater) {
        quitThen(() => {
          if (!updater.install(false, true)) log.warn('The new version was not installed')
        })
        return
      }
      try {
        // macOS takes it over first; if it does, it ends the program, installs, and starts it again.
        await new Promise<never>((_resolve, reject) => {
          updater.once('error', reject)
          updater.quitAndInstall()
        })
      } catch (error) {
        onNotInstalled()
        throw error
      }
    },
  }

  function say(message?: unknown): void {
    log.info(`Updates: ${String(message)}`)
  }
}
