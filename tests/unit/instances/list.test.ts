import { describe, expect, onTestFinished, test } from 'vitest'
import type { InstanceRecord } from '#domain/instances/instance.ts'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import { InstanceList, instanceNotesFile, type RememberedList } from '#services/instances/list.ts'
import { InstanceWatch } from '#services/instances/watch.ts'
import { PerInstanceFile } from '#services/storage/per-instance-file.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { wholeList } from '../../support/whole-list.ts'

const offline: Problem = { kind: 'unreachable', cause: 'refused', origin: 'https://service.example' }

function world() {
  const clock = new FakeClock()
  const records: InstanceRecord[] = [{ id: 7, actual_status: 'running', jupyter_token: 'canary' }]
  const file = memoryFile<RememberedList>(null)
  const words = memoryFile(instanceNotesFile.fallback)
  const service = { isUp: true }
  async function run() {
    const end = new AbortController()
    const list = async () => {
      if (!service.isUp) throw new ProblemError(offline)
      return wholeList(structuredClone(records))
    }
    const watch = new InstanceWatch({ list, clock, random: () => 0, log: memoryLog() })
    const own = new PerInstanceFile({ ...instanceNotesFile, file: words, now: clock.now })
    const shown = new InstanceList({ watch, own, file, clock, log: memoryLog() })
    const following = shown.follow(end.signal)
    onTestFinished(() => end.abort())
    const atStart = shown.list.value
    watch.start(shown.remembered())
    await settle()
    return {
      watch,
      own,
      shown,
      atStart,
      quit: async () => {
        watch.stop()
        end.abort()
        await following
      },
    }
  }
  return { clock, records, file, words, service, run }
}

describe('the list that was last known', () => {
  test('is there at the next start, with its age, until the service answers', async () => {
    const { clock, service, run } = world()
    const first = await run()
    const fetchedAt = first.watch.snapshot.value.fetchedAt
    await first.quit()
    service.isUp = false
    await clock.advance(3_600_000)
    const { shown, watch } = await run()
    expect(shown.list.value).toMatchObject({ isRemembered: true, fetchedAt, problem: offline })
    expect(shown.list.value.instances?.map(({ id, status }) => [id, status])).toEqual([[7, 'running']])
    service.isUp = true
    await watch.refresh()
    await settle()
    expect(shown.list.value).toMatchObject({ isRemembered: false, problem: null })
  })

  test('is for the eyes only: the watch, by which money is spent, has none before the service answers', async () => {
    const { service, run } = world()
    await (await run()).quit()
    service.isUp = false
    const { watch } = await run()
    expect(watch.snapshot.value.instances).toBeNull()
  })

  test('lets the history go on', async () => {
    const { records, run } = world()
    await (await run()).quit()
    records[0] = { id: 7, actual_status: 'exited' }
    const { watch } = await run()
    expect(watch.find(7)?.history.map(({ status }) => status)).toEqual(['running', 'exited'])
  })

  test('has its secrets masked on the disk', async () => {
    const { file, run } = world()
    await (await run()).quit()
    expect(JSON.stringify(file.value)).toContain('jupyter_token')
    expect(JSON.stringify(file.value)).not.toContain('canary')
  })

  test('is not written again and again while nothing changes but measures', async () => {
    const { clock, records, file, run } = world()
    await run()
    const written: unknown[] = []
    const write = file.write
    Object.assign(file, { write: (next: RememberedList) => (written.push(next), write(next)) })
    for (let poll = 0; poll < 8; poll += 1) {
      records[0] = { id: 7, actual_status: 'running', gpu_util: poll }
      await clock.advance(30_000)
    }
    expect(written).toHaveLength(0)
    records[0] = { id: 7, actual_status: 'exited' }
    await clock.advance(30_000)
    expect(written).toHaveLength(1)
  })
})

describe('own words', () => {
  test('stand with their instance at once, stay, and are forgotten when they are emptied', async () => {
    const { words, run } = world()
    const first = await run()
    await first.own.write(7, { label: 'night', note: 'ask Kim' })
    await settle()
    expect(first.shown.find(7)?.own).toEqual({ label: 'night', note: 'ask Kim' })
    await first.quit()
    const { shown, own } = await run()
    expect(shown.find(7)?.own?.label).toBe('night')
    await own.write(7, { label: '', note: '' })
    await settle()
    expect(shown.find(7)?.own).toBeUndefined()
    expect(JSON.stringify(words.value)).not.toContain('ask Kim')
  })
})
