import { expect, test } from 'vitest'
import { z } from 'zod'
import { PerInstanceFile, perInstance } from '#services/storage/per-instance-file.ts'
import { memoryFile } from '../../support/memory-file.ts'

const none = { name: '' }
const shape = perInstance(z.object({ name: z.string() }), none)

function open(file = memoryFile(shape.fallback)) {
  let now = 0
  return { file, values: new PerInstanceFile({ ...shape, file, now: () => (now += 1) }) }
}

test('a value is there for its instance alone, now and at the next start, without the time', async () => {
  const { file, values } = open()
  await values.write(7, { name: 'night' })
  for (const seen of [values, open(file).values]) {
    expect([seen.of(7), seen.of(8)]).toEqual([{ name: 'night' }, none])
    expect(seen.latest.value).toEqual(new Map([[7, { name: 'night' }]]))
  }
})

test('of an instance whose value is none again nothing stays on the disk', async () => {
  const { file, values } = open()
  await values.write(7, { name: 'night' })
  await values.write(7, { name: '' })
  expect(file.value).toEqual({})
  expect(values.latest.value.size).toBe(0)
})

test('the oldest values make room, and what is written again is new', async () => {
  const many = Array.from({ length: 5000 }, (_, id) => ({ [id]: { name: 'old', at: id - 5000 } }))
  const { values } = open(memoryFile(shape.schema.parse(Object.assign({}, ...many))))
  await values.write(0, { name: 'again' })
  await values.write(5000, { name: 'new' })
  expect(values.latest.value.size).toBe(5000)
  expect([0, 1, 2, 5000].map((id) => values.of(id).name)).toEqual(['again', '', 'old', 'new'])
})

test('what the disk refuses is not taken as written', async () => {
  const file = { value: {}, update: () => Promise.reject(new Error('full')) }
  const values = new PerInstanceFile({ ...shape, file, now: () => 1 })
  await expect(values.write(7, { name: 'night' })).rejects.toThrow('full')
  expect(values.of(7)).toEqual(none)
})
