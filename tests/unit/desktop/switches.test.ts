import { expect, test } from 'vitest'
import { isSandboxOff, refuseRemoteDebugging } from '../../../src-main/desktop/switches.ts'

function started(isPackaged: boolean, ...switches: readonly string[]) {
  const left = new Set(switches)
  const commandLine = {
    hasSwitch: (name: string) => left.has(name),
    removeSwitch: (name: string) => void left.delete(name),
  }
  return { app: { isPackaged, commandLine }, left: () => [...left] }
}

test('an installed app refuses both ways of remote debugging, and leaves other switches alone', () => {
  const { app, left } = started(true, 'remote-debugging-port', 'remote-debugging-pipe', 'no-sandbox')
  refuseRemoteDebugging(app)
  expect(left()).toEqual(['no-sandbox'])
})

test('in development it can be debugged, which end-to-end tests on Electron need', () => {
  const { app, left } = started(false, 'remote-debugging-port')
  refuseRemoteDebugging(app)
  expect(left()).toEqual(['remote-debugging-port'])
})

test.each([
  [true, ['no-sandbox'], true],
  [true, [], false],
  // As root there is no other way to develop.
  [false, ['no-sandbox'], false],
] as const)(
  'packaged: %s, switches %j: a warning about the sandbox is due: %s',
  (isPackaged, switches, isDue) => {
    expect(isSandboxOff(started(isPackaged, ...switches).app)).toBe(isDue)
  },
)
