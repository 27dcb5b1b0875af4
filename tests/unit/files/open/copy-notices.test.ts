import { expect, onTestFinished, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import type { CopyState, EditedCopy } from '#domain/files/edited-copy.ts'
import { tellOfCopies } from '#services/files/open/copy-notices.ts'
import { FakeClock } from '../../../support/fake-clock.ts'

const waiting: CopyState = { kind: 'waiting', problem: { kind: 'silent' } }
const uploaded: CopyState = { kind: 'same', uploadedAt: 1 }

const copy = (id: string, instanceId: number, state: CopyState): EditedCopy => ({
  ...{ id, instanceId, folder: '/work', name: 'train.py', state },
})

function follow() {
  const clock = new FakeClock()
  const copies = new Latest<readonly EditedCopy[]>([])
  const told: string[] = []
  const end = new AbortController()
  const done = tellOfCopies({ copies, clock, notify: ({ title }) => told.push(title) }, end.signal)
  onTestFinished(async () => {
    end.abort()
    await done
  })
  return {
    told,
    /** Stands so for that many seconds. */
    stand: (seconds: number, ...now: readonly EditedCopy[]): Promise<void> => {
      copies.set(now)
      return clock.advance(seconds * 1_000)
    },
  }
}

test('a trouble is told once it has lasted, and not again with each further try', async () => {
  const { told, stand } = follow()
  await stand(9, copy('a', 7, waiting))
  expect(told).toEqual([])
  await stand(1, copy('a', 7, waiting))
  expect(told).toEqual(['Edited file of instance 7 isn’t uploaded yet'])
  await stand(60, copy('a', 7, { kind: 'uploading' }))
  await stand(60, copy('a', 7, waiting))
  expect(told).toHaveLength(1)
  await stand(60, copy('a', 7, { kind: 'changed' }))
  expect(told.at(-1)).toBe('Edited file of instance 7 needs an answer')
  expect(told).toHaveLength(2)
})

test('what passes within 10 seconds isn’t told, and what comes back after an upload is', async () => {
  const { told, stand } = follow()
  await stand(5, copy('a', 7, waiting))
  await stand(60, copy('a', 7, uploaded))
  expect(told).toEqual([])
  for (const _ of [1, 2]) {
    await stand(60, copy('a', 7, waiting))
    await stand(60, copy('a', 7, uploaded))
  }
  expect(told).toHaveLength(2)
})

test('files that a program saves at once are told together, for each instance', async () => {
  const { told, stand } = follow()
  await stand(60, copy('a', 7, waiting), copy('b', 7, waiting), copy('c', 8, waiting))
  expect(told).toEqual([
    'Edited file of instance 7 isn’t uploaded yet',
    'Edited file of instance 8 isn’t uploaded yet',
  ])
})
