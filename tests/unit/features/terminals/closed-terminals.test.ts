import { expect, it } from 'vitest'
import { defaultStart } from '#domain/terminals/saved-terminals.ts'
import { createClosedTerminals } from '../../../../src-renderer/features/terminals/closed-terminals.ts'

const terminal = (instanceId: number) => ({
  instanceId,
  name: null,
  wish: { kind: 'plain' } as const,
  folder: null,
  start: defaultStart,
  group: 'group',
  place: 0,
})

it('gives back what was closed, the last first, once each', () => {
  const closed = createClosedTerminals()
  expect(closed.any.value).toBe(false)
  closed.add(terminal(1))
  closed.add(terminal(2))
  expect([closed.take(), closed.take(), closed.take()]).toEqual([terminal(2), terminal(1), undefined])
  expect(closed.any.value).toBe(false)
})

it('remembers the last twenty', () => {
  const closed = createClosedTerminals()
  for (let id = 1; id <= 25; id += 1) closed.add(terminal(id))
  const taken = Array.from({ length: 25 }, () => closed.take()?.instanceId)
  expect(taken.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index))
  expect(taken[20]).toBeUndefined()
})
