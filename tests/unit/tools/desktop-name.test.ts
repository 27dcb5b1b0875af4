import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readYaml } from '../../../tools/release/yaml.mjs'

const top = join(import.meta.dirname, '../../..')
const read = (path: string): string => readFileSync(join(top, path), 'utf8')

// On Wayland a window has no icon of its own: the desktop looks for a file of the name that Electron gives to windows.
test('windows on Linux have the name of the desktop file, which is one that portals take', () => {
  const { desktopName } = z.object({ desktopName: z.string() }).parse(JSON.parse(read('package.json')))
  const config = z
    .object({ appId: z.string(), linux: z.object({ syncDesktopName: z.literal(true) }) })
    .parse(readYaml(read('build/electron-builder.yml')))
  const id = desktopName.replace(/\.desktop$/, '')
  expect(id).not.toBe(desktopName)
  // As g_application_id_is_valid() has it, and with two dots, as Flatpak wants.
  expect(id).toMatch(/^[A-Za-z_-][\w-]*(\.[A-Za-z_-][\w-]*){2,}$/)
  expect(id.length).toBeLessThanOrEqual(255)
  expect(id.startsWith(`${config.appId}.`)).toBe(true)
})
