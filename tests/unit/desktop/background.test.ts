import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { Latest } from '../../../src-main/domain/base/latest.ts'
import { preferences } from '../../../src-main/domain/settings/settings.ts'
import { startInTraySwitch, startsInTray, watchBackground } from '../../../src-main/desktop/background.ts'

const withTray = (keepInTray: boolean, tray = true) => ({
  preferences: new Latest(preferences.parse({ keepInTray, tray })),
})

test('the window is hidden only where something shows that Slipway goes on', () => {
  const app = new EventEmitter()
  const linux = watchBackground(app as never, { ...withTray(true), platform: 'linux' })
  expect(linux.mayHide()).toBe('never')
  linux.trayShown(true)
  expect(linux.mayHide()).toBe('always')
  linux.trayShown(false)
  expect(linux.mayHide()).toBe('never')
  // There it's in the Dock.
  expect(watchBackground(app as never, { ...withTray(false), platform: 'darwin' }).mayHide()).toBe('ask')
})

test('who quits is not kept in the tray, unless the quitting was called off', () => {
  const app = new EventEmitter()
  const background = watchBackground(app as never, { ...withTray(true), platform: 'win32' })
  background.trayShown(true)
  app.emit('before-quit')
  expect(background.mayHide()).toBe('never')
  background.stays()
  expect(background.mayHide()).toBe('always')
})

test.each([
  ['at login, kept in the tray', true, true, [startInTraySwitch], true],
  ['by its user', true, true, [], false],
  ['at login, not kept in the tray', false, true, [startInTraySwitch], false],
  ['at login, without an icon', true, false, [startInTraySwitch], false],
] as const)('started %s', (_, keepInTray, tray, args, isHidden) => {
  const nothing = { getLoginItemSettings: () => expect.unreachable() }
  const options = { ...withTray(keepInTray, tray), platform: 'linux', args, needsUser: () => false } as const
  expect(startsInTray(nothing, options)).toBe(isHidden)
  // A locked keychain, or no account: somebody has to look.
  expect(startsInTray(nothing, { ...options, needsUser: () => true })).toBe(false)
})

test('macOS tells itself that it has started Slipway', () => {
  const at = (wasOpenedAtLogin: boolean) => ({ getLoginItemSettings: () => ({ wasOpenedAtLogin }) as never })
  // Its Dock has Slipway, also where there is no icon.
  const mac = { ...withTray(true, false), platform: 'darwin', args: [], needsUser: () => false } as const
  expect(startsInTray(at(true), mac)).toBe(true)
  expect(startsInTray(at(false), mac)).toBe(false)
})
