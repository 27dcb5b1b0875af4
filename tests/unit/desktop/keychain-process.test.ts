import { expect, test, vi } from 'vitest'
import { findSessionBus } from '../../../src-main/desktop/keychain-process.ts'

vi.mock('electron', () => ({ app: null, utilityProcess: null }))

const XDG_RUNTIME_DIR = '/run/user/1000'
const exists = (path: string): boolean => path === '/run/user/1000/bus'

test.each([[undefined], [''], ['disabled:']])(
  'where none is named (%s), it is where systemd has it',
  (DBUS_SESSION_BUS_ADDRESS) => {
    const env = { XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS }
    expect(findSessionBus({ env, exists })).toBe('unix:path=/run/user/1000/bus')
    expect(findSessionBus({ env, exists: () => false })).toBeNull()
  },
)

test('one that is named stays, also one that leads nowhere', () => {
  const env = { XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }
  expect(findSessionBus({ env, exists })).toBeNull()
})

test('without a folder of the session there is none to be found', () => {
  for (const env of [{}, { XDG_RUNTIME_DIR: '' }]) expect(findSessionBus({ env, exists })).toBeNull()
})
