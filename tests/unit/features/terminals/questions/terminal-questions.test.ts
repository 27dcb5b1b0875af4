import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  createQuestions,
  type ClipboardAnswers,
} from '../../../../../src-renderer/features/terminals/questions/terminal-questions.ts'
import { waitFor } from '../../../../support/wait-for.ts'

const clipboard: string[] = []
const told: string[] = []

beforeEach(() => {
  clipboard.length = 0
  told.length = 0
  vi.stubGlobal('navigator', {
    clipboard: { writeText: (text: string) => Promise.resolve(void clipboard.push(text)) },
  })
})
afterEach(() => vi.unstubAllGlobals())

const questionsOf = (instanceId: number, answers: ClipboardAnswers) =>
  createQuestions({ instanceId, answers, tell: (note) => told.push(note) })

it('a machine writes the clipboard only after it was allowed, and is asked about once for all its terminals', async () => {
  const answers: ClipboardAnswers = new Map()
  const first = questionsOf(7, answers)
  first.clipboardWritten('one')
  expect(first.asked.value).toEqual({ kind: 'clipboard', text: 'one' })
  expect(clipboard).toEqual([])
  first.answerClipboard(true)
  const second = questionsOf(7, answers)
  second.clipboardWritten('two')
  expect([first.asked.value, second.asked.value]).toEqual([null, null])
  await waitFor(() => expect(clipboard).toEqual(['one', 'two']))
})

it('what was said of one machine says nothing of another', () => {
  const answers: ClipboardAnswers = new Map([[7, 'allowed']])
  const other = questionsOf(8, answers)
  other.clipboardWritten('text')
  expect(other.asked.value).toEqual({ kind: 'clipboard', text: 'text' })
})

it('a program takes no question of the user’s away: it waits until that is answered', () => {
  const questions = questionsOf(7, new Map())
  const paste = { kind: 'paste', text: 'ls', thenRuns: true } as const
  questions.ask(paste)
  questions.clipboardWritten('one')
  questions.clipboardWritten('two')
  expect(questions.asked.value).toBe(paste)
  questions.clear()
  expect(questions.asked.value).toEqual({ kind: 'clipboard', text: 'two' })
  questions.clear()
  expect(questions.asked.value).toBeNull()
})

it('what waited isn’t asked about once another terminal of the machine has the answer', () => {
  const answers: ClipboardAnswers = new Map()
  const questions = questionsOf(7, answers)
  questions.ask({ kind: 'paste', text: 'ls', thenRuns: true })
  questions.clipboardWritten('one')
  answers.set(7, 'refused')
  questions.clear()
  expect(questions.asked.value).toBeNull()
  expect(told).toEqual(['The instance wasn’t allowed to write to your clipboard'])
})

it('a refusal lasts, and each further attempt is told', () => {
  const questions = questionsOf(7, new Map())
  questions.clipboardWritten('one')
  questions.answerClipboard(false)
  questions.clipboardWritten('two')
  expect(questions.asked.value).toBeNull()
  expect(clipboard).toEqual([])
  expect(told).toEqual(['The instance wasn’t allowed to write to your clipboard'])
})
