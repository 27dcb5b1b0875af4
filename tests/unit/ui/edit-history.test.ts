import fc from 'fast-check'
import { expect, test } from 'vitest'
import { edited, editHistory, redone, undone } from '#ui/edit-history.ts'

test('typing into one place is one step, and anything else is a step of its own', () => {
  let history = editHistory('')
  for (const typed of ['R', 'RT', 'RTX']) history = edited(history, typed, 'model')
  history = edited(history, 'RTX, 2', 'gpus')
  history = edited(history, 'removed', null)
  history = edited(history, 'removed too', null)
  const back = [0, 1, 2, 3, 4].map(() => (history = undone(history)).present)
  expect(back).toEqual(['removed', 'RTX, 2', 'RTX', '', ''])
})

test('after an undo typing begins a new step, and what was undone is gone', () => {
  const history = edited(undone(edited(editHistory('a'), 'ab', 'x')), 'ac', 'x')
  expect(redone(history).present).toBe('ac')
  expect(undone(history).present).toBe('a')
})

test('any steps back and as many forth end where they began', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.nat(30), (edits, steps) => {
      const history = edits.reduce((before, text) => edited(before, text, null), editHistory('start'))
      let there = history
      for (let step = 0; step < steps; step += 1) there = undone(there)
      for (let step = 0; step < steps; step += 1) there = redone(there)
      expect(there).toEqual(steps === 0 ? history : { ...history, subject: null })
    }),
  )
})
