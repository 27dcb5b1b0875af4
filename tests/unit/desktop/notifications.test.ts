import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { toasts } from '../../electron-on-chromium/notification.ts'
import { system } from '../../electron-on-chromium/system.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { collectGarbage } from '../../support/heap.ts'
import { memoryLog } from '../../support/memory-log.ts'

const folder = mkdtempSync(join(tmpdir(), 'slipway-notifications-'))
vi.mock('../../electron-on-chromium/app.ts', () => ({ app: { getPath: () => folder } }))
vi.mock('electron', async () => {
  const { DoubleNotification } = await import('../../electron-on-chromium/notification.ts')
  return { Notification: DoubleNotification }
})
const { createNotifications } = await import('../../../src-main/desktop/notifications.ts')

const real = { ...system }
afterEach(() => {
  for (const id of toasts.held()) toasts.dismiss(id)
  Object.assign(system, real)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const dayMs = 24 * 60 * 60_000

function setUp(platform: NodeJS.Platform) {
  system.platform = platform
  const clock = new FakeClock()
  const log = memoryLog()
  const done: string[] = []
  const show = createNotifications({ focus: () => done.push('focus'), platform, now: clock.now, log })
  /** Shows one, and answers with its id. */
  const tell = (title: string): string => {
    const before = toasts.held()
    show(
      { title, body: '', actionLabel: 'Add 1 hour' },
      { onOpen: () => done.push(`open ${title}`), onAction: () => done.push(`act ${title}`) },
    )
    return toasts.held().find((id) => !before.includes(id)) ?? ''
  }
  return { clock, log, done, tell }
}

describe('Windows', () => {
  test('one that timed out is in the Action Center, and a click there leads to its page', async () => {
    const { done, tell } = setUp('win32')
    const id = tell('Running')
    toasts.timeOut(id)
    await collectGarbage()
    toasts.click(id)
    expect(done).toContain('open Running')
  })

  test('its button does once what it says, although Windows tells of it twice, and brings no window', () => {
    const { done, tell } = setUp('win32')
    const id = tell('Stops soon')
    toasts.timeOut(id)
    toasts.press(id)
    expect(done).toEqual(['act Stops soon'])
  })

  test('one that nobody holds any more brings the window to the front', () => {
    const { done } = setUp('win32')
    toasts.press('of-an-earlier-run')
    expect(done).toEqual(['focus'])
  })

  test('after three days, when Windows drops them, they are let go', async () => {
    const { clock, tell } = setUp('win32')
    const old = tell('Old')
    toasts.timeOut(old)
    await clock.advance(3 * dayMs - 1)
    const kept = tell('Kept')
    await collectGarbage()
    expect(toasts.held()).toEqual([old, kept])
    await clock.advance(1)
    const fresh = tell('Fresh')
    await collectGarbage()
    expect(toasts.held()).toEqual([kept, fresh])
  })
})

test('macOS shows nothing of a program that is not signed, which the log says', async () => {
  system.isSigned = false
  const { log, tell } = setUp('darwin')
  tell('Running')
  await collectGarbage()
  expect(log.lines).toEqual(['A notification was not shown: Notifications are not allowed'])
})

test.each(['darwin', 'win32', 'linux'] as const)(
  'on %s a click brings the window, leads to the page, and is the last that is heard of it',
  async (platform) => {
    const { done, tell } = setUp(platform)
    const id = tell('Running')
    await collectGarbage()
    toasts.click(id)
    expect(done.slice(-2)).toEqual(['focus', 'open Running'])
    await collectGarbage()
    expect(toasts.alive()).toBe(0)
  },
)

test.each(['darwin', 'win32', 'linux'] as const)(
  'on %s one that the user closes is let go',
  async (platform) => {
    const { tell } = setUp(platform)
    toasts.dismiss(tell('Running'))
    await collectGarbage()
    expect(toasts.alive()).toBe(0)
  },
)
