import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { app, dialog, shell, type BaseWindow, type OpenDialogOptions } from 'electron'
import type { AppDependencies } from '../app/dependencies.ts'
import { editorSchemes, type Editor } from '../domain/instances/editor-link.ts'
import { machineTimes, systemClock } from '../app/system-clock.ts'
import { findAgentAddress } from './agent-address.ts'
import type { AppIdentity } from './app-identity.ts'
import { localeVariables } from './locale-variables.ts'
import { createLoginItem } from './login-item.ts'
import { createMainFetch } from './network/main-fetch.ts'
import { ProxyLogins } from './network/proxy-logins.ts'
import { createNotifications } from './notifications.ts'
import { tellLicenseFiles, tellProgramFacts } from './program-facts.ts'
import { startEditor } from './own-editor.ts'
import { agreesTo } from './questions.ts'
import { createSecretProtection } from './secrets.ts'
import { readUmask } from './system-umask.ts'
import { findUpdateSource, type UpdaterOptions } from './updater.ts'
import { focusWindow } from './window.ts'

export interface GatherOptions
  extends
    Pick<AppDependencies, 'userData' | 'programs'>,
    Pick<UpdaterOptions, 'onInstall' | 'onNotInstalled' | 'quitThen'> {
  readonly identity: AppIdentity
  /** Folders of what the package has beside the code. */
  readonly resources: string
  readonly licenses: string
  /** `null` before there is one. */
  readonly window: () => BaseWindow | null
}

/** What the services are given of Electron, of this process, and of the computer around it; but for the keychain. */
export async function gatherDependencies(from: GatherOptions): Promise<Omit<AppDependencies, 'keychain'>> {
  const { identity, userData, resources, licenses, programs, window } = from
  const { platform, env, execPath } = process
  const logins = new ProxyLogins()
  return {
    ...createMainFetch({ ready: app.whenReady(), logins }),
    clock: systemClock,
    machineTimes,
    random: Math.random,
    randomId: randomUUID,
    userData,
    logFolder: app.getPath('logs'),
    crashDumpFolder: app.getPath('crashDumps'),
    homeFolder: homedir(),
    machineScripts: join(resources, 'machine'),
    umask: await readUmask(),
    programs,
    hasEditor: createEditorSearch(),
    trash: (path) => shell.trashItem(path),
    showInFolder: (path) => shell.showItemInFolder(path),
    quit: () => app.quit(),
    chooseToUpload: createUploadChoice(window),
    chooseProject: createProjectChoice(window),
    ownEditor: { choose: createEditorChoice(window, platform), start: startEditor(platform) },
    notifications: (log) =>
      createNotifications({ platform, focus: () => focusIfThere(window()), now: systemClock.now, log }),
    secrets: createSecretProtection({ platform, window }),
    agentSocket: findAgentAddress({ platform, env, pipes: () => readdirSync('\\\\.\\pipe\\') }),
    locale: localeVariables(env),
    systemLocale: () => app.getSystemLocale(),
    updates: {
      source: (log) =>
        findUpdateSource({
          ...{ platform, arch: process.arch, env, execPath, appPath: app.getAppPath() },
          ...from,
          logins,
          log,
        }),
      ask: async (question) => {
        const parent = window()
        return parent !== null && agreesTo(parent, { ...question, buttons: ['Not now', 'Restart to update'] })
      },
    },
    about: tellProgramFacts(app, identity),
    loginItem: createLoginItem({ app, platform, env, homeFolder: homedir(), execPath }),
    licenseFiles: tellLicenseFiles(app, licenses),
  }
}

function focusIfThere(window: BaseWindow | null): void {
  if (window !== null) focusWindow(window)
}

/**
 * Lets the user choose files, or folders, of this computer in the system's own dialog: not on every system can
 * one dialog do both.
 *
 * @param window `null` before there is one
 */
function createUploadChoice(window: () => BaseWindow | null): AppDependencies['chooseToUpload'] {
  return (kind) => {
    const one = kind === 'files' ? ('openFile' as const) : ('openDirectory' as const)
    return chooseFiles({ properties: [one, 'multiSelections', 'showHiddenFiles'] }, window())
  }
}

/** Lets the user choose one folder, or one definition file, in the system's own dialog. */
function createProjectChoice(window: () => BaseWindow | null): AppDependencies['chooseProject'] {
  return async (kind) => {
    const [path = null] = await chooseFiles(
      kind === 'folder'
        ? { properties: ['openDirectory', 'createDirectory', 'showHiddenFiles'] }
        : {
            properties: ['openFile', 'showHiddenFiles'],
            filters: [{ name: 'Job definitions', extensions: ['json'] }],
          },
      window(),
    )
    return path
  }
}

/** Lets the user choose a program in the system's own dialog. On macOS an application is one file for it. */
function createEditorChoice(window: () => BaseWindow | null, platform: string): () => Promise<string | null> {
  return async () => {
    const [path = null] = await chooseFiles(
      {
        title: 'Choose your editor',
        buttonLabel: 'Choose program',
        properties: ['openFile', 'showHiddenFiles'],
        ...(platform === 'darwin' && { defaultPath: '/Applications' }),
        // A script of the shell can't be started without one.
        ...(platform === 'win32' && { filters: [{ name: 'Programs', extensions: ['exe'] }] }),
      },
      window(),
    )
    return path
  }
}

/** Their paths; none when the user leaves it. */
async function chooseFiles(
  options: OpenDialogOptions,
  parent: BaseWindow | null,
): Promise<readonly string[]> {
  const { canceled, filePaths } = parent
    ? await dialog.showOpenDialog(parent, options)
    : await dialog.showOpenDialog(options)
  return canceled ? [] : filePaths
}

/** Each is asked for once: on Linux main waits for the answer, which a script gives (xdg-mime). */
function createEditorSearch(): (editor: Editor) => boolean {
  const found = new Map<Editor, boolean>()
  return (editor) => {
    const isFound =
      found.get(editor) ?? app.getApplicationNameForProtocol(`${editorSchemes[editor]}://`) !== ''
    found.set(editor, isFound)
    return isFound
  }
}
