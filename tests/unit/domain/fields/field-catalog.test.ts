import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sortedByValue, type Sorting } from '#domain/fields/field-catalog.ts'
import { fieldOf, type FieldRecord } from '#domain/fields/field-format.ts'
import { offerFields } from '#domain/offers/offer-fields.ts'

describe('the fields of what came', () => {
  test('known ones in the order of the table, others after them by name', () => {
    const records = [
      { zeta: 1, dph_total: 0.3, id: 1 },
      { id: 2, gpu_name: 'RTX 4090', alpha: null },
    ]
    expect(offerFields.present(records).map(({ name }) => name)).toEqual([
      'gpu_name',
      'dph_total',
      'id',
      'alpha',
      'zeta',
    ])
  })

  test('a field that nobody knows stands under its own name', () => {
    expect(offerFields.field('hosting_type')).toMatchObject({ label: 'hosting_type', group: 'Other' })
    expect(offerFields.field('__proto__').label).toBe('__proto__')
  })

  test('a name that could not be seen, or would hide others, is shown so that it does neither', () => {
    expect(offerFields.field('\u202eecirp').label).toBe('�ecirp')
    expect(offerFields.field(' ').label).toBe('(no name)')
    expect(offerFields.field('x'.repeat(500)).label).toBe(`${'x'.repeat(60)}…`)
    expect(offerFields.field('x'.repeat(500)).name).toHaveLength(500)
  })

  test('no name and no label appears twice', () => {
    const { fields } = offerFields
    expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length)
    expect(new Set(fields.map(({ label }) => label)).size).toBe(fields.length)
  })

  test('grouped, what the document names apart from what is only seen', () => {
    const fields = offerFields.present([
      { id: 1, rentable: true, rented: 1, dph_total: 1, min_bid: 1, weird: 1 },
    ])
    expect(offerFields.grouped(fields)).toMatchObject([
      { group: 'Offer', isDocumented: true, fields: [{ name: 'id' }, { name: 'rentable' }] },
      { group: 'Price', isDocumented: false, fields: [{ name: 'dph_total' }, { name: 'min_bid' }] },
      { group: 'Offer', isDocumented: false, fields: [{ name: 'rented' }] },
      { group: 'Other', isDocumented: false, fields: [{ name: 'weird' }] },
    ])
  })
})

describe('sorting', () => {
  const price = offerFields.field('dph_total')
  const sorted = <T extends FieldRecord>(records: readonly T[], sorting: Sorting): readonly T[] =>
    sortedByValue(records, sorting, fieldOf)
  const ids = (records: readonly { readonly id: number }[]): number[] => records.map(({ id }) => id)

  test('unknown comes last in both directions', () => {
    const offers = [
      { id: 1, dph_total: null },
      { id: 2, dph_total: 2 },
      { id: 3 },
      { id: 4, dph_total: 1 },
      { id: 5, dph_total: '?' },
    ]
    expect(ids(sorted(offers, { field: price, direction: 'asc' }))).toEqual([4, 2, 5, 1, 3])
    expect(ids(sorted(offers, { field: price, direction: 'desc' }))).toEqual([5, 2, 4, 1, 3])
  })

  test('numbers in texts count as numbers', () => {
    const models = ['RTX 4090', 'RTX 390', 'A100'].map((gpu_name, id) => ({ id, gpu_name }))
    const field = offerFields.field('gpu_name')
    expect(ids(sorted(models, { field, direction: 'asc' }))).toEqual([2, 1, 0])
  })

  test('loses and adds nothing, orders the numbers, and descending is its mirror', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.double(), fc.jsonValue())), (values) => {
        // The two zeros are one number, whichever of them comes first.
        const numbersOf = (all: readonly (typeof records)[number][]): readonly number[] =>
          all
            .map(({ dph_total }) => dph_total)
            .filter((value) => typeof value === 'number' && Number.isFinite(value))
            .map((value) => Number(value) + 0)
        const records = values.map((value, id) => ({ id, dph_total: value }))
        const rising = sorted(records, { field: price, direction: 'asc' })
        expect(ids(rising).toSorted((a, b) => a - b)).toEqual(ids(records))
        const numbers = numbersOf(rising)
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
        const falling = sorted(records, { field: price, direction: 'desc' })
        expect(numbersOf(falling)).toEqual(numbers.toReversed())
      }),
    )
  })
})
