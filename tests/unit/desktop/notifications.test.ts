import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readYaml } from '../../../tools/release/yaml.mjs'

vi.mock('electron', () => ({ Notification: {} }))
const { appUserModelId } = await import('../../../src-main/desktop/notifications.ts')

test('Windows knows the program by the name that the installer gives to its shortcut', () => {
  const file = join(import.meta.dirname, '../../../build/electron-builder.yml')
  expect(readYaml(readFileSync(file, 'utf8'))).toMatchObject({ appId: appUserModelId })
})
