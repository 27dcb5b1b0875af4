import { describe, expect, test } from 'vitest'
import { alarmsOf } from '#domain/guards/alarms.ts'
import type { InstanceRecord } from '#domain/instances/instance.ts'
import { defaultNotificationSettings } from '#domain/settings/notification-settings.ts'
import type { Notification } from '#domain/notifications/notification.ts'
import { Latest } from '#domain/base/latest.ts'
import { preferences } from '#domain/settings/settings.ts'
import { createNotifier } from '#services/notifications/notifier.ts'
import { sendStatusNotifications } from '#services/notifications/status-notifications.ts'
import { InstanceWatch } from '#services/instances/watch.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { wholeList } from '../../support/whole-list.ts'

async function following(records: InstanceRecord[], seesTo: (id: number) => boolean = () => false) {
  const clock = new FakeClock()
  const log = memoryLog()
  const watch = new InstanceWatch({
    list: async () => wholeList(records.map((one) => ({ ...one }))),
    clock,
    random: () => 0,
    log,
  })
  const told: string[] = []
  const { signal } = new AbortController()
  void sendStatusNotifications({
    snapshot: watch.snapshot,
    seesTo,
    notify: ({ title }) => told.push(title),
    signal,
  })
  watch.start()
  await settle()
  return { clock, watch, told }
}

describe('news of instances', () => {
  test('a machine that came to run is told once; what was there before is no news', async () => {
    const records: InstanceRecord[] = [
      { id: 1, actual_status: 'loading' },
      { id: 2, actual_status: 'running' },
      { id: 3, actual_status: 'exited' },
    ]
    const { clock, told } = await following(records)
    records[0] = { id: 1, actual_status: 'running' }
    await clock.advance(60_000)
    expect(told).toEqual(['Instance 1 is running'])
  })

  test('a dead end is told, unless somebody sees to it', async () => {
    const records: InstanceRecord[] = [
      { id: 1, actual_status: 'running' },
      { id: 2, actual_status: 'loading' },
    ]
    const { clock, told } = await following(records, (id) => id === 2)
    records.splice(0, 2, { id: 1, actual_status: 'offline' }, { id: 2, actual_status: 'exited' })
    await clock.advance(60_000)
    expect(told).toEqual(['Instance 1 went offline'])
  })

  test.each([
    ['Slipway’s own stop has', 'exited', {}, true],
    ['somebody else has', 'exited', { cur_state: 'stopped' }, false],
    ['somebody else has, and whose host went away,', 'offline', { cur_state: 'stopped' }, false],
  ])('an instance that %s stopped is no dead end', async (_, status, listed, isOwn) => {
    const records: InstanceRecord[] = [{ id: 1, actual_status: 'running' }]
    const { clock, watch, told } = await following(records)
    if (isOwn) watch.setPending(1, { action: 'stop', since: clock.now(), failure: null, lists: 0 })
    records[0] = { id: 1, actual_status: status, ...listed }
    await clock.advance(60_000)
    expect(watch.find(1)).toMatchObject({ status, pending: null })
    expect(told).toEqual([])
  })

  test('an action that did not take is told once', async () => {
    const { clock, watch, told } = await following([{ id: 1, actual_status: 'running' }])
    watch.setPending(1, { action: 'destroy', since: clock.now(), failure: null, lists: 0 })
    await clock.advance(10 * 60_000)
    expect(told).toEqual(['Instance 1 wasn’t destroyed'])
  })
})

test('a kind that is switched off is not shown; a click leads to the page, and only from then on', async () => {
  const latest = new Latest(preferences.parse({}))
  const shown: { title: string; open: () => void }[] = []
  const { notify, opened } = createNotifier({
    showNotification: ({ title }, { onOpen }) => void shown.push({ title, open: onOpen }),
    among: { name: () => null, show: () => undefined },
    preferences: latest,
    labelOf: (id) => (id === 2 ? 'Training' : null),
  })
  const news = (title: string, instanceId = 1): Notification => ({
    kind: 'running',
    title,
    body: '',
    instanceId,
    path: `/instances/${title}`,
  })
  notify(news('1'))
  notify(news('is running', 2))
  latest.set(preferences.parse({ notifications: { ...defaultNotificationSettings, running: false } }))
  notify(news('2'))
  expect(shown.map(({ title }) => title)).toEqual(['1', 'Training: is running'])

  shown[0]?.open()
  const pages = opened()
  const next = pages.next()
  await settle()
  shown[0]?.open()
  expect((await next).value).toEqual({ path: '/instances/1' })
})

describe('alarms', () => {
  const now = Date.UTC(2026, 0, 1)
  const instance = {
    id: 1,
    status: 'running',
    record: { id: 1, actual_status: 'running', dph_total: 2 },
    history: [{ status: 'running', at: now }],
    pending: null,
  }
  const alarms = (creditUsd: number | null, attendedHoursAgo: number | null) =>
    alarmsOf({
      instances: [instance],
      creditUsd,
      attendedAt: () => (attendedHoursAgo === null ? null : now - attendedHoursAgo * 3_600_000),
      settings: { creditHours: 12, unattendedHours: 8 },
      now,
    })

  test('credit that lasts less than so many hours at what is spent now', () => {
    expect(alarms(20, null).creditHours).toBe(10)
    expect(alarms(24, null).creditHours).toBeNull()
    expect(alarms(null, null).creditHours).toBeNull()
    expect(alarms(-3, null).creditHours).toBe(0)
  })

  test('a running machine that nobody was connected to for so many hours', () => {
    expect(alarms(null, 8).unattended).toEqual([{ instanceId: 1, since: now - 8 * 3_600_000 }])
    expect(alarms(null, 7.9).unattended).toEqual([])
    expect(alarms(null, null).unattended).toEqual([])
  })
})
