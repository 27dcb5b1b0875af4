import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { autostartEntry, createLoginItem } from '../../../src-main/desktop/login-item.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const packaged = {
  isPackaged: true,
  getLoginItemSettings: () => expect.unreachable(),
  setLoginItemSettings: () => expect.unreachable(),
}

async function linux(env: Readonly<Record<string, string>> = {}) {
  const homeFolder = await temporaryFolder()
  const options = {
    app: packaged,
    platform: 'linux',
    env,
    execPath: '/opt/Slipway/slipway',
    homeFolder,
  } as const
  return { item: createLoginItem(options), entry: join(homeFolder, '.config/autostart/slipway.desktop') }
}

test('on Linux it is a file of the desktop’s autostart folder', async () => {
  const { item, entry } = await linux()
  expect(await item.read()).toBe('off')
  await item.set(true)
  expect(await item.read()).toBe('on')
  expect(await readFile(entry, 'utf8')).toContain('Exec="/opt/Slipway/slipway" --start-in-tray\n')
  await item.set(false)
  await item.set(false)
  expect(await item.read()).toBe('off')
})

test('an AppImage is started by its own file', async () => {
  const { item, entry } = await linux({ APPIMAGE: '/home/kim/Slipway.AppImage' })
  await item.set(true)
  expect(await readFile(entry, 'utf8')).toContain('Exec="/home/kim/Slipway.AppImage" ')
})

test.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
  'one that the desktop has switched off by %s is off',
  async (line) => {
    const { item, entry } = await linux()
    await mkdir(join(entry, '..'), { recursive: true })
    await writeFile(entry, `${autostartEntry('/usr/bin/slipway')}${line}\n`)
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
  const app = {
    isPackaged: true,
    getLoginItemSettings: (options: unknown) => {
      expect(options).toEqual(item)
      return { openAtLogin: set.length > 0, status } as never
    },
    setLoginItemSettings: (settings: unknown) => void set.push(settings),
  }
  const made = createLoginItem({ app, platform, env: {}, execPath: '/x', homeFolder: '/home/kim' })
  expect(await made.read()).toBe('off')
  await made.set(true)
  expect(set).toEqual([{ ...item, openAtLogin: true }])
  expect(await made.read()).toBe('on')
  status = 'requires-approval'
  expect(await made.read()).toBe('needs-approval')
})

test('a start from the sources is nothing to start at login', async () => {
  const app = { ...packaged, isPackaged: false }
  const item = createLoginItem({ app, platform: 'linux', env: {}, execPath: '/x', homeFolder: '/home/kim' })
  expect(await item.read()).toBe('not-installed')
  await expect(item.set(true)).rejects.toThrow('installed')
})
