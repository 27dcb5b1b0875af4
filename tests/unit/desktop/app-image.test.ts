import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isOwnAppImage } from '../../../src-main/desktop/app-image.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'

// AppImages are for Linux.
const onLinux = test.runIf(process.platform === 'linux')

async function mounted(name: string): Promise<string> {
  const folder = join(await temporaryFolder(), name)
  await mkdir(folder)
  return folder
}

onLinux('a program that runs out of the AppImage of its environment is that AppImage', async () => {
  const APPDIR = await mounted('.mount_Slipwab12')
  const env = { APPIMAGE: '/home/me/Slipway.AppImage', APPDIR }
  expect(isOwnAppImage({ env, execPath: join(APPDIR, 'slipway') })).toBe(true)
  const link = `${APPDIR}-link`
  await symlink(APPDIR, link)
  expect(isOwnAppImage({ env: { ...env, APPDIR: link }, execPath: join(APPDIR, 'slipway') })).toBe(true)
})

onLinux(
  'one that was started from another AppImage’s terminal is not: its file is not to be replaced',
  async () => {
    const APPDIR = await mounted('.mount_Editorab12')
    const env = { APPIMAGE: '/home/me/Editor.AppImage', APPDIR }
    expect(isOwnAppImage({ env, execPath: '/opt/Slipway/slipway' })).toBe(false)
    expect(isOwnAppImage({ env, execPath: `${APPDIR}-2/slipway` })).toBe(false)
  },
)

test.each([
  ['nothing of it', {}],
  ['no folder', { APPIMAGE: '/home/me/Slipway.AppImage' }],
  ['a folder that is gone', { APPIMAGE: '/home/me/Slipway.AppImage', APPDIR: '/tmp/.mount_gone' }],
])('an environment with %s is no AppImage’s', (_, env) => {
  expect(isOwnAppImage({ env, execPath: '/tmp/.mount_gone/slipway' })).toBe(false)
})
