import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { askAfterFailedLoad } from '../../../../src-main/desktop/pages/failed-load.ts'
import { settle } from '../../../support/fake-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'

class FakeContents extends EventEmitter {
  loads = 0
  isGone = false
  readonly reload = (): void => void (this.loads += 1)
  readonly isDestroyed = (): boolean => this.isGone
  readonly fail = (code: number, isMainFrame = true): boolean =>
    this.emit('did-fail-load', {}, code, 'ERR_SOMETHING', 'app://slipway/', isMainFrame)
  readonly navigate = (status: number): boolean => this.emit('did-navigate', {}, 'app://slipway/', status)
}

function setUp() {
  const contents = new FakeContents()
  const steps: string[] = []
  const answers: PromiseWithResolvers<boolean>[] = []
  const log = memoryLog()
  askAfterFailedLoad(contents, {
    show: () => {
      steps.push('shown')
      return Promise.resolve()
    },
    askToReload: () => {
      steps.push('asked')
      const answer = Promise.withResolvers<boolean>()
      answers.push(answer)
      return answer.promise
    },
    log,
  })
  return { contents, steps, answers, log }
}

test('a page that did not load is shown empty, and loaded again when its user wants that', async () => {
  const { contents, steps, answers, log } = setUp()
  contents.fail(-6)
  await settle()
  expect(steps).toEqual(['shown', 'asked'])
  expect(log.lines.join()).toContain('ERR_SOMETHING (-6)')
  answers[0]?.resolve(true)
  await settle()
  expect(contents.loads).toBe(1)
  contents.navigate(404)
  await settle()
  expect(steps).toEqual(['shown', 'asked', 'shown', 'asked'])
  answers[1]?.resolve(false)
  await settle()
  expect(contents.loads).toBe(1)
})

test('what loads, or gave way to another page, or is only a part of a page, is no failure', () => {
  const { contents, steps } = setUp()
  contents.navigate(200)
  // Not over HTTP.
  contents.navigate(-1)
  contents.fail(-3)
  contents.fail(-6, false)
  expect(steps).toEqual([])
})

test('a page that is gone by the answer is left alone, and a question that fails is logged', async () => {
  const { contents, answers, log } = setUp()
  contents.fail(-6)
  await settle()
  contents.isGone = true
  answers[0]?.resolve(true)
  contents.fail(-6)
  await settle()
  answers[1]?.reject(new Error('no display'))
  await expect.poll(() => log.lines.join()).toContain('The user couldn’t be asked')
  expect(contents.loads).toBe(0)
})
