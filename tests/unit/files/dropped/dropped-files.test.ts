import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { DroppedFiles } from '../../../../src-main/services/files/dropped/dropped-files.ts'
import { FakeClock } from '../../../support/fake-clock.ts'

const from = resolve('/desktop')
const file = join(from, 'a.txt')
const place = [{ from, names: ['a.txt'] }]
const at = 5

function setUp() {
  const clock = new FakeClock()
  return { clock, dropped: new DroppedFiles(clock) }
}

it('a drop is given once, by folders', async () => {
  const { clock, dropped } = setUp()
  const other = resolve('/other')
  dropped.put(at, [file, join(other, 'c'), join(from, 'b')])
  expect(await dropped.take(at)).toEqual([
    { from, names: ['a.txt', 'b'] },
    { from: other, names: ['c'] },
  ])
  const again = dropped.take(at)
  await clock.advance(2_000)
  expect(await again).toEqual([])
})

it('it may be told after it was asked for', async () => {
  const { clock, dropped } = setUp()
  const asked = dropped.take(at)
  await clock.advance(1_900)
  dropped.put(at, [file])
  expect(await asked).toEqual(place)
  const again = dropped.take(at)
  await clock.advance(2_000)
  expect(await again).toEqual([])
})

it('what nobody asks for is forgotten, and is no answer to a later question', async () => {
  const { clock, dropped } = setUp()
  dropped.put(at, [file])
  await clock.advance(2_001)
  const asked = dropped.take(at)
  await clock.advance(2_000)
  expect(await asked).toEqual([])
})

it('two drops that main hears of at once are told apart, in whichever order they are told and asked for', async () => {
  const { dropped } = setUp()
  dropped.put(1, [join(from, 'one')])
  const third = dropped.take(3)
  dropped.put(2, [join(from, 'two')])
  dropped.put(3, [join(from, 'three')])
  const first = dropped.take(1)
  const names = (await Promise.all([first, dropped.take(2), third])).map(([one]) => one?.names)
  expect(names).toEqual([['one'], ['two'], ['three']])
})
