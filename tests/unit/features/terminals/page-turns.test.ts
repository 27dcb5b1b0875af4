import { beforeEach, expect, test, vi } from 'vitest'
import { createPageTurns } from '../../../../src-renderer/features/terminals/page-turns.ts'

// As Electron has it where timers of hidden pages are not slowed down: a page is `visible` for ever, and one that
// nobody sees draws no frames.
vi.stubGlobal('document', { visibilityState: 'visible' })
const frames: (() => void)[] = []
vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw))
const timers: number[] = []
vi.stubGlobal('setTimeout', (_run: () => void, ms: number) => timers.push(ms))
const reported: unknown[] = []
vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
const time = { ms: 0 }
vi.stubGlobal('performance', { now: () => time.ms })

/** A frame was asked for so long ago that it is overdue. */
function pastDue(turns: ReturnType<typeof createPageTurns>): void {
  turns.frame(() => undefined)
  time.ms += 1_000
}

beforeEach(() => {
  frames.length = timers.length = time.ms = 0
})

test('a page that is not seen waits for no frame', async () => {
  let isVisible = true
  const turns = createPageTurns(() => isVisible)
  pastDue(turns)
  isVisible = false
  await new Promise<void>((resolve) => turns.afterFrame(resolve))
  expect(timers).toEqual([])
})

test('one that is seen goes on with the frame that is due', async () => {
  const turns = createPageTurns(() => true)
  pastDue(turns)
  const gone = new Promise<void>((resolve) => turns.afterFrame(resolve))
  expect(timers).toEqual([100])
  for (const draw of frames.splice(0)) draw()
  await gone
})

test('one that nobody asked a frame of waits for none, and asks for none', async () => {
  const turns = createPageTurns(() => true)
  time.ms += 1_000
  await new Promise<void>((resolve) => turns.afterFrame(resolve))
  expect(timers).toEqual([])
  expect(frames).toEqual([])
})

test('all that is to be drawn is drawn in one frame', () => {
  const turns = createPageTurns(() => true)
  const drawn: string[] = []
  turns.frame(() => {
    drawn.push('first')
    turns.frame(() => drawn.push('next'))
  })
  turns.frame(() => drawn.push('second'))
  expect(frames).toHaveLength(1)
  for (const draw of frames.splice(0)) draw()
  expect(drawn).toEqual(['first', 'second'])
  for (const draw of frames.splice(0)) draw()
  expect(drawn).toEqual(['first', 'second', 'next'])
})

test('one that fails to be drawn is reported, and the others are drawn', () => {
  const turns = createPageTurns(() => true)
  const failure = new Error('no memory')
  const drawn: string[] = []
  turns.frame(() => {
    throw failure
  })
  turns.frame(() => drawn.push('second'))
  for (const draw of frames.splice(0)) draw()
  expect({ drawn, reported }).toEqual({ drawn: ['second'], reported: [failure] })
  turns.frame(() => drawn.push('later'))
  for (const draw of frames.splice(0)) draw()
  expect(drawn).toEqual(['second', 'later'])
})
