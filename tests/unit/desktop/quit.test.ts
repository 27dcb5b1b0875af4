import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { disposeOnQuit } from '../../../src-main/desktop/quit.ts'
import { Preventable } from '../../electron-on-chromium/prevention.ts'
import { memoryLog } from '../../support/memory-log.ts'

const exits = vi.hoisted(() => ({ codes: Array.of<number>() }))
vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events')
  return { app: Object.assign(new Emitter(), { exit: (code: number) => exits.codes.push(code) }) }
})
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number, value: unknown) =>
    new Promise((resolve) => {
      globalThis.setTimeout(() => resolve(value), ms)
    }),
}))
const { app } = await import('electron')

beforeEach(() => {
  exits.codes = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  app.removeAllListeners()
})

test.each([
  ['enough', 5_000],
  ['unattended', 5_000],
  ['seconds', 2_000],
  ['none', 5_000],
] as const)('with %s time left, parts that hang have %i ms', async (left, ms) => {
  const log = memoryLog()
  const dispose = (): Promise<void> => new Promise(() => undefined)
  disposeOnQuit({ dispose, timeLeft: () => left, log })
  const event = new Preventable()
  EventEmitter.prototype.emit.call(app, 'will-quit', event)
  expect(event.defaultPrevented).toBe(true)
  await vi.advanceTimersByTimeAsync(ms - 1)
  expect(exits.codes).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(exits.codes).toEqual([0])
  expect(log.lines).toEqual([`Not everything had ended ${ms} ms after the command to quit`])
})
