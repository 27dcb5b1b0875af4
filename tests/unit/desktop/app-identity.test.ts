import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  development,
  type IdentifiedApp,
  installed,
  takeIdentity,
} from '../../../src-main/desktop/app-identity.ts'
import { readYaml } from '../../../tools/release/yaml.mjs'
import { expectMode } from '../../support/file-mode.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function started(
  platform: NodeJS.Platform,
  { isPackaged = false, otherUserData }: { isPackaged?: boolean; otherUserData?: string } = {},
) {
  const appData = await temporaryFolder()
  const told: Record<string, string> = {}
  const app: IdentifiedApp = {
    isPackaged,
    getPath: () => appData,
    setPath: (name, path) => {
      // Electron may refuse a folder that is not there.
      expect(existsSync(path)).toBe(true)
      told[name] = path
    },
    setName: (name) => (told['name'] = name),
    setAppLogsPath: (path) => (told['logs'] = path),
    setAppUserModelId: (id) => (told['appUserModelId'] = id),
    setToastActivatorCLSID: (id) => (told['toastActivatorClsid'] = id),
    setDesktopName: (name) => (told['desktopName'] = name),
  }
  return { appData, identity: takeIdentity(app, { platform, otherUserData }), told }
}

test('Windows knows the installed app by the name that the installer gives to its shortcut, and no other by it', async () => {
  const file = join(import.meta.dirname, '../../../build/electron-builder.yml')
  const { appUserModelId } = installed
  expect(readYaml(readFileSync(file, 'utf8'))).toMatchObject({ appId: appUserModelId })
  expect((await started('win32', { isPackaged: true })).told).toEqual({
    appUserModelId,
    // Shortcuts that were made with it stay.
    toastActivatorClsid: '{CA284D32-C3A2-49AB-AA60-88F5EE6DEDE1}',
  })
  const { told } = await started('win32')
  expect(told['appUserModelId']).toBe(development.appUserModelId)
  expect(told).not.toHaveProperty('toastActivatorClsid')
  expect(development.appUserModelId).not.toBe(appUserModelId)
})

test('an installed app is what its package says, whatever its environment hints at', async () => {
  for (const platform of ['linux', 'darwin'] as const) {
    const { identity, told } = await started(platform, { isPackaged: true, otherUserData: '/elsewhere' })
    expect(identity).toBe(installed)
    expect(told).toEqual({})
  }
})

test.each(['linux', 'darwin', 'win32'] as const)(
  'a start from the sources has a name and a folder of its own on %s, its log inside',
  async (platform) => {
    const { appData, identity, told } = await started(platform)
    const userData = join(appData, 'Slipway (development)')
    expect(identity).toBe(development)
    expect(told).toMatchObject({ name: identity.name, userData, logs: join(userData, 'logs') })
    await expectMode(userData, 0o700)
  },
)

test('Linux’s desktops do not count its window among those of the installed app', async () => {
  const { desktopName } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'))
  expect((await started('linux')).told['desktopName']).not.toBe(desktopName)
  expect((await started('darwin')).told).not.toHaveProperty('desktopName')
})

test('tests and the demo have a folder of their own, for the log as well', async () => {
  const folder = await temporaryFolder()
  const { told } = await started('darwin', { otherUserData: join(folder, 'mine') })
  expect(told).toMatchObject({ userData: join(folder, 'mine'), logs: join(folder, 'mine', 'logs') })
})
