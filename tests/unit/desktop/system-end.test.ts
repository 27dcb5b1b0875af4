import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TimeLeft } from '../../../src-main/desktop/closing.ts'
import { watchSystemEnd } from '../../../src-main/desktop/system-end.ts'
import { endSession, shutDown, system } from '../../electron-on-chromium/system.ts'

const electron = vi.hoisted(() => ({ quits: 0 }))
vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events')
  return { app: { quit: () => (electron.quits += 1) }, powerMonitor: new Emitter() }
})
const { powerMonitor } = await import('electron')

const real = { ...system }
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const listening = new Map(signals.map((signal) => [signal, process.listeners(signal)]))
let deaths = 0

beforeEach(() => {
  electron.quits = 0
  deaths = 0
  system.kill = () => (deaths += 1)
})
afterEach(() => {
  Object.assign(system, real)
  powerMonitor.removeAllListeners()
  for (const signal of signals)
    for (const listener of process.listeners(signal))
      if (!listening.get(signal)?.includes(listener)) process.off(signal, listener)
})

function watchOn(platform: NodeJS.Platform): {
  readonly timeLeft: () => TimeLeft
  readonly window: EventEmitter
} {
  system.platform = platform
  const { timeLeft, watch } = watchSystemEnd(platform)
  const window = new EventEmitter()
  watch(window)
  return { timeLeft, window }
}

test('Linux shuts down: that is delayed, and Slipway quits within seconds', () => {
  const { timeLeft } = watchOn('linux')
  expect(timeLeft()).toBe('enough')
  shutDown(powerMonitor)
  expect([deaths, electron.quits, timeLeft()]).toEqual([0, 1, 'seconds'])
})

test('Windows asks before it ends the session: it has to wait, and Slipway quits within seconds', () => {
  const { timeLeft, window } = watchOn('win32')
  endSession(window)
  expect([deaths, electron.quits, timeLeft()]).toEqual([0, 1, 'seconds'])
})

test('macOS quits every program itself, and a window that stays would break the shutdown off', () => {
  const { timeLeft } = watchOn('darwin')
  shutDown(powerMonitor)
  expect([deaths, electron.quits, timeLeft()]).toEqual([0, 0, 'none'])
})

test('after a signal there is time, and nobody to answer; during a shutdown there is no more than before', () => {
  const { timeLeft } = watchOn('linux')
  process.emit('SIGTERM')
  expect([electron.quits, timeLeft()]).toEqual([1, 'unattended'])
  shutDown(powerMonitor)
  expect(timeLeft()).toBe('seconds')
  process.emit('SIGTERM')
  expect(timeLeft()).toBe('seconds')
})
