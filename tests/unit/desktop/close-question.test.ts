import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { askBeforeClose } from '../../../src-main/desktop/close-question.ts'
import { settle } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

class FakeWindow extends EventEmitter {
  isClosed = false
  close(): void {
    let isPrevented = false
    this.emit('close', { preventDefault: () => (isPrevented = true) })
    this.isClosed ||= !isPrevented
  }
}

function setUp({ guards = 0, isTrying = false, isSystemEnding = false } = {}) {
  const window = new FakeWindow()
  const questions: string[] = []
  const answer = Promise.withResolvers<boolean>()
  const log = memoryLog()
  askBeforeClose(window, {
    unfinished: () => ({ guards, isTrying }),
    isSystemEnding: () => isSystemEnding,
    ask: ({ detail }) => {
      questions.push(detail)
      return answer.promise
    },
    log,
  })
  return { window, questions, answer }
}

test('nothing is left undone: it closes at once', () => {
  const { window, questions } = setUp()
  window.close()
  expect(window.isClosed).toBe(true)
  expect(questions).toEqual([])
})

test('guards are left: it asks once, says what goes on being charged, and stays open until it is agreed', async () => {
  const { window, questions, answer } = setUp({ guards: 2 })
  window.close()
  window.close()
  expect(questions).toEqual([expect.stringMatching(/2 guards do nothing.* run on and are charged/)])
  expect(window.isClosed).toBe(false)
  answer.resolve(true)
  await settle()
  expect(window.isClosed).toBe(true)
})

test('whoever says no is asked again the next time', async () => {
  const { window, questions, answer } = setUp({ isTrying: true })
  window.close()
  answer.resolve(false)
  await settle()
  expect(window.isClosed).toBe(false)
  window.close()
  expect(questions).toHaveLength(2)
})

test('a question that cannot be shown does not keep the window open', async () => {
  const { window, answer } = setUp({ guards: 1 })
  window.close()
  answer.reject(new Error('no display'))
  await settle()
  expect(window.isClosed).toBe(true)
})

test('the system shuts down: nothing is asked', () => {
  const { window, questions } = setUp({ guards: 1, isTrying: true, isSystemEnding: true })
  window.close()
  expect(window.isClosed).toBe(true)
  expect(questions).toEqual([])
})
