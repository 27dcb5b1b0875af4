import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  autostartEntry,
  createLoginItem,
  type LoginItemOptions,
} from '../../../src-main/desktop/login-item.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const packaged = {
  isPackaged: true,
  getLoginItemSettings: () => expect.unreachable(),
  setLoginItemSettings: () => expect.unreachable(),
}

function linux({
  homeFolder,
  env = {},
  execPath = '/opt/Slipway/slipway',
}: Pick<LoginItemOptions, 'homeFolder'> & Partial<Pick<LoginItemOptions, 'env' | 'execPath'>>) {
  const item = createLoginItem({ app: packaged, platform: 'linux', env, execPath, homeFolder })
  return { item, entry: join(homeFolder, '.config/autostart/slipway.desktop') }
}

test('on Linux it is a file of the desktop’s autostart folder', async () => {
  const { item, entry } = linux({ homeFolder: await temporaryFolder() })
  expect(await item.read()).toBe('off')
  await item.set(true)
  expect(await item.read()).toBe('on')
  expect(await readFile(entry, 'utf8')).toContain('Exec="/opt/Slipway/slipway" --start-in-tray\n')
  await item.set(false)
  await item.set(false)
  expect(await item.read()).toBe('off')
})

test('an AppImage is started by its own file, also by that of its next version', async () => {
  const folder = await realpath(await temporaryFolder())
  const made = (name: string) => {
    const env = { APPIMAGE: join(folder, name), APPDIR: folder }
    return linux({ env, execPath: join(folder, 'slipway'), homeFolder: folder })
  }
  await writeFile(join(folder, 'Slipway-1.AppImage'), '')
  const { item, entry } = made('Slipway-1.AppImage')
  await item.set(true)
  expect(await readFile(entry, 'utf8')).toContain(`Exec="${folder}/Slipway-1.AppImage" `)

  // Another copy beside it is not what starts.
  await writeFile(join(folder, 'Slipway-2.AppImage'), '')
  expect(await made('Slipway-2.AppImage').item.read()).toBe('off')
  await rm(join(folder, 'Slipway-1.AppImage'))
  expect(await made('Slipway-2.AppImage').item.read()).toBe('on')
  expect(await readFile(entry, 'utf8')).toContain(`Exec="${folder}/Slipway-2.AppImage" `)
})

test('a terminal that is an AppImage is not what starts', async () => {
  const env = { APPIMAGE: '/home/kim/Terminal.AppImage', APPDIR: '/tmp' }
  const { item, entry } = linux({ env, homeFolder: await temporaryFolder() })
  await item.set(true)
  expect(await readFile(entry, 'utf8')).toContain('Exec="/opt/Slipway/slipway" ')
})

test('in a Flatpak there is no place that a desktop would look at', async () => {
  const env = { FLATPAK_ID: 'app.slipway.Slipway' }
  const { item } = linux({ env, execPath: '/app/slipway/slipway', homeFolder: await temporaryFolder() })
  expect(await item.read()).toBe('flatpak')
})

test.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
  'one that the desktop has switched off by %s is off',
  async (line) => {
    const { item, entry } = linux({ homeFolder: await temporaryFolder() })
    await mkdir(join(entry, '..'), { recursive: true })
    await writeFile(entry, `${autostartEntry('/opt/Slipway/slipway')}${line}\n`)
    expect(await item.read()).toBe('off')
  },
)

test('whatever the program’s path, the entry starts it and nothing else', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('a', 'B', ' ', '/', '"', '`', '$', '\\', '%', "'", '&', ';', '|', 'é'),
      }),
      (name) => {
        const exec = /^Exec=(.*)$/m.exec(autostartEntry(`/opt/${name}`))?.[1] ?? ''
        // As a desktop reads it: the string's escapes, then the quoting, then its field codes.
        const read = exec.replaceAll('\\\\', '\\')
        const quoted = /^"((?:[^"\\`$]|\\["`$\\])*)" --start-in-tray$/.exec(read)?.[1]
        expect(quoted?.replaceAll(/\\(["`$\\])/g, '$1').replaceAll('%%', '%')).toBe(`/opt/${name}`)
      },
    ),
  )
})

test.each([
  ['win32', { args: ['--start-in-tray'] }],
  ['darwin', {}],
] as const)('%s is asked by Electron', async (platform, item) => {
  const set: unknown[] = []
  let status = 'enabled'
  const launchItems: { scope: string; enabled: boolean }[] = [{ scope: 'machine', enabled: false }]
  const app = {
    isPackaged: true,
    getLoginItemSettings: (options: unknown) => {
      expect(options).toEqual(item)
      return { openAtLogin: set.length > 0, launchItems, status } as never
    },
    setLoginItemSettings: (settings: unknown) => void set.push(settings),
  }
  const made = createLoginItem({ app, platform, env: {}, execPath: '/x', homeFolder: '/home/kim' })
  expect(await made.read()).toBe('off')
  await made.set(true)
  expect(set).toEqual([{ ...item, openAtLogin: true }])
  expect(await made.read()).toBe('on')
  // Windows keeps what its user has switched off there.
  launchItems.push({ scope: 'user', enabled: false })
  expect(await made.read()).toBe(platform === 'win32' ? 'off' : 'on')
  status = 'requires-approval'
  expect(await made.read()).toBe('needs-approval')
})

test('a start from the sources is nothing to start at login', async () => {
  const app = { ...packaged, isPackaged: false }
  const item = createLoginItem({ app, platform: 'linux', env: {}, execPath: '/x', homeFolder: '/home/kim' })
  expect(await item.read()).toBe('not-installed')
  await expect(item.set(true)).rejects.toThrow('installed')
})
