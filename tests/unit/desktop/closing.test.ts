import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { closeInOrder, type ClosingOptions, type TimeLeft } from '../../../src-main/desktop/closing.ts'
import type { CloseAnswer } from '../../../src-main/domain/accounts/pending-work.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

class FakeWindow extends EventEmitter {
  isClosed = false
  close(): void {
    let isPrevented = false
    this.emit('close', { preventDefault: () => (isPrevented = true) })
    this.isClosed ||= !isPrevented
  }
}

interface Setting {
  readonly guards?: number
  readonly isTrying?: boolean
  readonly autoRents?: number
  readonly jobs?: number
  readonly pages?: Promise<undefined>
  readonly mayHide?: ReturnType<ClosingOptions['mayHide']>
}

function setUp({
  guards = 0,
  isTrying = false,
  autoRents = 0,
  jobs = 0,
  pages = Promise.resolve(undefined),
  mayHide = 'never',
}: Setting = {}) {
  const time: { left: TimeLeft } = { left: 'enough' }
  const window = new FakeWindow()
  const questions: string[] = []
  const offered: string[] = []
  const answer = Promise.withResolvers<CloseAnswer>()
  const log = memoryLog()
  let told = 0
  let hidden = 0
  const clock = new FakeClock()
  closeInOrder(window, {
    pendingWork: () => ({ guards, isTrying, autoRents, jobs }),
    timeLeft: () => time.left,
    mayHide: () => mayHide,
    hide: () => {
      hidden += 1
    },
    ask: ({ detail, answers }) => {
      questions.push(detail)
      offered.push(...answers.map((one) => one.answer))
      return answer.promise
    },
    tellPages: () => {
      told += 1
      return pages
    },
    clock,
    log,
  })
  return { window, time, questions, offered, answer, clock, log, told: () => told, hidden: () => hidden }
}

test('nothing is left undone: it closes as soon as its pages have kept what they hold', async () => {
  const pages = Promise.withResolvers<undefined>()
  const { window, questions } = setUp({ pages: pages.promise })
  window.close()
  window.close()
  await settle()
  expect(window.isClosed).toBe(false)
  pages.resolve(undefined)
  await settle()
  expect(window.isClosed).toBe(true)
  expect(questions).toEqual([])
})

test('a page that hangs keeps it open for three seconds', async () => {
  const { window, clock, log } = setUp({ pages: new Promise(() => undefined) })
  window.close()
  await clock.advance(2_999)
  expect(window.isClosed).toBe(false)
  await clock.advance(1)
  expect(window.isClosed).toBe(true)
  expect(log.lines).toEqual([expect.stringContaining('still at work')])
})

test('guards are left: it asks once, says what goes on being charged, and stays open until it is agreed', async () => {
  const { window, questions, answer } = setUp({ guards: 2 })
  window.close()
  window.close()
  expect(questions).toEqual([expect.stringMatching(/2 auto-stop rules don’t run and you’re still charged/)])
  expect(window.isClosed).toBe(false)
  answer.resolve('close')
  await settle()
  expect(window.isClosed).toBe(true)
})

test('whoever says no is asked again the next time', async () => {
  const { window, questions, answer } = setUp({ isTrying: true })
  window.close()
  answer.resolve('stay')
  await settle()
  expect(window.isClosed).toBe(false)
  window.close()
  expect(questions).toHaveLength(2)
})

test('a window over a search that rents automatically is asked about', async () => {
  const { window, questions, answer } = setUp({ autoRents: 1 })
  window.close()
  expect(questions).toEqual([expect.stringContaining('auto-rent rents nothing')])
  answer.resolve('stay')
  await settle()
  expect(window.isClosed).toBe(false)
})

test('a window over jobs is asked about, with what they do meanwhile', async () => {
  const { window, questions, answer } = setUp({ jobs: 2 })
  window.close()
  expect(questions).toEqual([expect.stringContaining('2 jobs fetch no outputs and end no instance')])
  answer.resolve('stay')
  await settle()
  expect(window.isClosed).toBe(false)
})

test('with rules set it may go on in the tray: the window is hidden, its pages are not told of an end', async () => {
  const { window, offered, answer, told, hidden } = setUp({ guards: 1, mayHide: 'ask' })
  window.close()
  expect(offered).toEqual(['stay', 'hide', 'close'])
  answer.resolve('hide')
  await settle()
  expect([hidden(), told(), window.isClosed]).toEqual([1, 0, false])
})

test('who wants it in the tray is not asked, and only while there is something to see to', async () => {
  const withRules = setUp({ guards: 1, mayHide: 'always' })
  withRules.window.close()
  withRules.window.close()
  await settle()
  expect([withRules.hidden(), withRules.questions, withRules.window.isClosed]).toEqual([1, [], false])
  const withNone = setUp({ mayHide: 'always' })
  withNone.window.close()
  await settle()
  expect([withNone.hidden(), withNone.window.isClosed]).toEqual([0, true])
})

test('where it cannot be hidden, that is not offered', () => {
  const { window, offered, questions } = setUp({ guards: 1 })
  window.close()
  expect(offered).toEqual(['stay', 'close'])
  expect(questions).not.toEqual([expect.stringContaining('tray')])
})

test('a question that cannot be shown does not keep the window open', async () => {
  const { window, answer } = setUp({ guards: 1 })
  window.close()
  answer.reject(new Error('no display'))
  await settle()
  expect(window.isClosed).toBe(true)
})

test('the system shuts down: nothing is asked or waited for', () => {
  const { window, time, questions } = setUp({
    guards: 1,
    isTrying: true,
    pages: new Promise(() => undefined),
  })
  time.left = 'none'
  window.close()
  expect(window.isClosed).toBe(true)
  expect(questions).toEqual([])
})

test('the program is told to end: nothing is asked, but its pages keep what they hold', async () => {
  const pages = Promise.withResolvers<undefined>()
  const { window, time, questions } = setUp({ guards: 1, pages: pages.promise })
  time.left = 'unattended'
  window.close()
  window.close()
  await settle()
  expect([window.isClosed, questions]).toEqual([false, []])
  pages.resolve(undefined)
  await settle()
  expect(window.isClosed).toBe(true)
})

test('it is told to end while the question is open: no answer is waited for, nor does one change anything', async () => {
  const pages = Promise.withResolvers<undefined>()
  const { window, time, questions, answer, told } = setUp({ guards: 1, pages: pages.promise })
  window.close()
  expect(questions).toHaveLength(1)
  time.left = 'unattended'
  window.close()
  answer.resolve('stay')
  await settle()
  window.close()
  expect(told()).toBe(1)
  pages.resolve(undefined)
  await settle()
  expect(window.isClosed).toBe(true)
})

test.each([
  ['open', 0],
  ['waiting for a page', 1],
])('the system shuts down while the window is %s: a page that hangs gets one second', async (_, closes) => {
  const { window, time, clock, log, questions } = setUp({ guards: 0, pages: new Promise(() => undefined) })
  for (let at = 0; at < closes; at += 1) window.close()
  await settle()
  time.left = 'seconds'
  window.close()
  await clock.advance(999)
  expect(window.isClosed).toBe(false)
  await clock.advance(1)
  expect([window.isClosed, questions]).toEqual([true, []])
  await clock.advance(10_000)
  expect(log.lines).toEqual([expect.stringContaining('still at work 1000 ms')])
})
