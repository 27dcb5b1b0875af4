import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { reviveCrashedPage, startCrashReporter } from '../../../../src-main/desktop/pages/crashes.ts'
import { memoryLog } from '../../../support/memory-log.ts'

class FakeContents extends EventEmitter {
  loads = 0
  isGone = false
  readonly reload = (): void => void (this.loads += 1)
  readonly isDestroyed = (): boolean => this.isGone
  readonly die = (): boolean => this.emit('render-process-gone', {}, { reason: 'oom', exitCode: 9 })
}

function setUp() {
  const contents = new FakeContents()
  const time = { ms: 0 }
  const asked: PromiseWithResolvers<boolean>[] = []
  const log = memoryLog()
  reviveCrashedPage(contents, {
    log,
    now: () => time.ms,
    askToReload: () => {
      const one = Promise.withResolvers<boolean>()
      asked.push(one)
      return one.promise
    },
  })
  return { contents, time, asked, log }
}

test('a page that died is loaded again, and after a while once more, without a question', () => {
  const { contents, time, asked } = setUp()
  contents.die()
  time.ms = 10_000
  contents.die()
  expect([contents.loads, asked.length]).toEqual([2, 0])
})

test('one that dies again soon is loaded when its user wants that, however often', async () => {
  const { contents, asked } = setUp()
  contents.die()
  for (const death of [1, 2, 3]) {
    contents.die()
    expect([contents.loads, asked.length]).toEqual([death, death])
    asked.at(-1)?.resolve(true)
    await expect.poll(() => contents.loads).toBe(death + 1)
  }
})

test('one whose user closes Slipway, or that is gone meanwhile, is left alone', async () => {
  const { contents, asked, log } = setUp()
  contents.die()
  contents.die()
  asked[0]?.resolve(false)
  contents.die()
  contents.isGone = true
  asked[1]?.resolve(true)
  contents.die()
  asked[2]?.reject(new Error('no display'))
  await expect.poll(() => log.lines.join()).toContain('The user couldn’t be asked')
  expect(contents.loads).toBe(1)
})

test('a crash is written to this computer and goes nowhere, neither to a server nor to the system’s reports', () => {
  const started: unknown[] = []
  startCrashReporter({ start: (options) => started.push(options) })
  expect(started).toEqual([{ uploadToServer: false, ignoreSystemCrashHandler: true }])
})
