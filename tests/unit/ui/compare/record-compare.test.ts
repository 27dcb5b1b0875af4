import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestPlaces } from '#ui/compare/better-value.ts'
import { compareRecords } from '#ui/compare/record-compare.ts'
import { offerFields } from '#domain/offers/offer-fields.ts'

function rowOf(name: string, ...values: readonly unknown[]) {
  const groups = compareRecords(
    values.map((value, id) => ({ id, [name]: value })),
    offerFields,
  )
  const row = groups.flatMap(({ rows }) => rows).find(({ field }) => field.name === name)
  if (!row) throw new Error(`No row of ${name}`)
  return { ...row, best: [...row.best] }
}

test('the fields stand under the headings of the catalogue, the unknown ones last', () => {
  const groups = compareRecords(
    [
      { id: 1, gpu_name: 'A', vendor_notes: 'x' },
      { id: 2, dph_total: 1 },
    ],
    offerFields,
  )
  expect(groups.map(({ name, rows }) => [name, rows.map(({ field }) => field.label)])).toEqual([
    ['GPU', ['Model']],
    ['Offer', ['Offer ID']],
    ['Price (seen, not documented)', ['Price']],
    ['Other (seen, not documented)', ['vendor_notes']],
  ])
})

test('the best is marked where better is known: more speed, less money', () => {
  expect(rowOf('dlperf', 10, 30, 20)).toMatchObject({ best: [1], differs: true })
  expect(rowOf('dph_total', 0.5, 0.3, 0.3)).toMatchObject({ best: [1, 2] })
  expect(rowOf('verified', true, false)).toMatchObject({ texts: ['yes', 'no'], best: [0] })
  expect(rowOf('num_gpus', 1, 8).best).toEqual([])
  expect(rowOf('gpu_name', 'A', 'B').best).toEqual([])
})

test('what is shown alike is alike, and nothing is the best of it', () => {
  expect(rowOf('dph_total', 0.30004, 0.30001)).toMatchObject({ differs: false, best: [] })
})

test('an unknown value is never the best, nor is the only known one', () => {
  expect(rowOf('dph_total', null, 0.3, 0.4)).toMatchObject({
    texts: ['–', '$0.300/h', '$0.400/h'],
    best: [1],
  })
  expect(rowOf('dph_total', undefined, 0.3)).toMatchObject({ differs: true, best: [] })
  expect(rowOf('dph_total', 'free', 0.3).best).toEqual([])
})

test('what looks like a secret is masked, and its order is not shown', () => {
  const row = rowOf('host_token', 'aaa', 'bbb')
  expect(row).toMatchObject({ differs: false, best: [] })
  expect(row.texts.join()).not.toContain('aaa')
})

test('the best one is as good as all others, and not all are the best', () => {
  const values = fc.array(fc.option(fc.integer({ min: -5, max: 5 })), { maxLength: 5 })
  fc.assert(
    fc.property(values, fc.constantFrom('more', 'less'), (numbers, way) => {
      const best = bestPlaces(numbers, way)
      const known = numbers.filter((value) => value !== null)
      expect(best.size).toBeLessThan(Math.max(1, known.length))
      for (const at of best)
        for (const other of known) {
          const value = numbers[at] ?? Number.NaN
          expect(way === 'more' ? value >= other : value <= other).toBe(true)
        }
    }),
  )
})
