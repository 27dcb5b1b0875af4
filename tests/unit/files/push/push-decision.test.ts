import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decide,
  isSame,
  stampThere,
  type FileStamp,
  type PushedFile,
} from '#services/files/push/push-decision.ts'

const second = 1_000
/** Few values, so that they meet. */
const stampHere = fc.record({
  size: fc.integer({ min: 0, max: 2 }),
  modifiedAt: fc.integer({ min: 0, max: 5_000 }),
})
const stampOnInstance = stampHere.map(stampThere)
const pushed: fc.Arbitrary<PushedFile> = fc.record({
  here: stampHere,
  there: stampOnInstance,
  how: fc.constantFrom('sent', 'found', 'kept'),
})
const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null })
const anything = [maybe(stampHere), maybe(stampOnInstance), maybe(pushed)] as const

const at = (size: number, seconds: number): FileStamp => ({ size, modifiedAt: seconds * second })
const sent = (stamp: FileStamp): PushedFile => ({ here: stamp, there: stampThere(stamp), how: 'sent' })

describe('a file', () => {
  test('that is only here is new, also when it was deleted there', () => {
    expect(decide(at(1, 1), null, null)).toBe('new')
    expect(decide(at(1, 1), null, sent(at(1, 1)))).toBe('new')
  })

  test('that changed here is sent; that changed there, or on both sides, is asked about', () => {
    const last = sent(at(1, 1))
    expect(decide(at(2, 2), at(1, 1), last)).toBe('changed')
    expect(decide(at(1, 1), at(3, 3), last)).toBe('changed-there')
    expect(decide(at(2, 2), at(3, 3), last)).toBe('conflict')
  })

  test('that is saved again within the second is sent again, whatever its size', () => {
    const last = sent({ size: 1, modifiedAt: 1_100 })
    expect(decide({ size: 1, modifiedAt: 1_100 }, at(1, 1), last)).toBe('equal')
    expect(decide({ size: 1, modifiedAt: 1_400 }, at(1, 1), last)).toBe('changed')
    expect(decide({ size: 1, modifiedAt: 1_400 }, at(1, 1), { ...last, how: 'found' })).toBe('changed')
  })

  test('that was there before any push is asked about unless it is equal', () => {
    expect(decide({ size: 1, modifiedAt: 1_400 }, at(1, 1), null)).toBe('found')
    expect(decide(at(1, 1), at(1, 2), null)).toBe('conflict')
  })

  test('that is gone here is deleted there only as it was sent', () => {
    expect(decide(null, at(1, 1), sent(at(1, 1)))).toBe('gone')
    expect(decide(null, at(1, 2), sent(at(1, 1)))).toBe('forgotten')
    expect(decide(null, at(1, 1), { ...sent(at(1, 1)), how: 'found' })).toBe('forgotten')
    expect(decide(null, null, sent(at(1, 1)))).toBe('forgotten')
  })

  test('that was kept on both sides is asked about once one of them changes', () => {
    const kept: PushedFile = { here: at(1, 1), there: at(2, 2), how: 'kept' }
    expect(decide(at(1, 1), at(2, 2), kept)).toBe('equal')
    expect(decide(at(1, 3), at(2, 2), kept)).toBe('conflict')
    expect(decide(at(1, 1), at(2, 3), kept)).toBe('conflict')
    expect(decide(null, at(2, 2), kept)).toBe('forgotten')
  })
})

test('property: nothing is replaced there that is not what was pushed', () => {
  fc.assert(
    fc.property(...anything, (here, there, last) => {
      if (there === null || decide(here, there, last) !== 'changed') return
      expect(last?.how).not.toBe('kept')
      expect(last !== null && isSame(last.there, there)).toBe(true)
    }),
    { numRuns: 3_000 },
  )
})

test('property: nothing is deleted there that no push has sent, or that has changed since', () => {
  fc.assert(
    fc.property(...anything, (here, there, last) => {
      if (decide(here, there, last) !== 'gone') return
      expect(here).toBeNull()
      expect(last?.how).toBe('sent')
      expect(last !== null && there !== null && isSame(last.there, there)).toBe(true)
    }),
    { numRuns: 3_000 },
  )
})

test('property: once what was decided is done, nothing is to be done any more', () => {
  fc.assert(
    fc.property(
      stampHere,
      ...(anything.slice(1, 3) as [fc.Arbitrary<FileStamp | null>, fc.Arbitrary<PushedFile | null>]),
      (here, there, last) => {
        const decision = decide(here, there, last)
        if (decision === 'found' && there !== null)
          expect(decide(here, there, { here, there, how: 'found' })).toBe('equal')
        else if (decision === 'equal') expect(there).not.toBeNull()
        else expect(decide(here, stampThere(here), sent(here))).toBe('equal')
      },
    ),
    { numRuns: 3_000 },
  )
})
