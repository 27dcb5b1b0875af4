import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  filtersFromJson,
  draftOfFilters,
  filtersOfDraft,
  newFilterRow,
  onField,
  withOperator,
  type FilterRow,
} from '#domain/fields/filter-row.ts'
import { filterPhrase } from '#ui/filters/filter-phrase.ts'
import { filterOperators, filters, type FilterOperator, type Filters } from '#domain/fields/filter.ts'
import { isSameJson } from '#domain/base/json-value.ts'
import { offerFields } from '#domain/offers/offer-fields.ts'

const row = (field: string, operator: FilterOperator, ...values: string[]): FilterRow => ({
  field,
  operator,
  values,
})
const sent = (...rows: FilterRow[]) => filtersOfDraft({ rows, json: '' }, offerFields)
const wrong = (rows: readonly FilterRow[], json = ''): unknown => {
  const result = filtersOfDraft({ rows, json }, offerFields)
  return result.ok ? null : { rows: [...result.errors.rows.keys()], json: result.errors.json }
}

describe('a row', () => {
  test.each([
    [row('gpu_ram', 'gte', '24'), { gpu_ram: { gte: 24_000 } }],
    [row('reliability', 'gte', ' 99.5 '), { reliability: { gte: 0.995 } }],
    [row('duration', 'gt', '30'), { duration: { gt: 2_592_000 } }],
    [row('dph_total', 'lte', '.5'), { dph_total: { lte: 0.5 } }],
    [row('num_gpus', 'in', '1', '2', ''), { num_gpus: { in: [1, 2] } }],
    [row('verified', 'eq', 'false'), { verified: { eq: false } }],
    [row('gpu_name', 'eq', ' RTX 4090 '), { gpu_name: { eq: 'RTX 4090' } }],
    [
      row('geolocation', 'notin', 'Oslo, NO', 'Texas, US'),
      { geolocation: { notin: ['Oslo, NO', 'Texas, US'] } },
    ],
    [row('end_date', 'gte', '2026-11-30 18:00'), { end_date: { gte: 1_796_061_600 } }],
    [row('end_date', 'gte', '2026-11-30'), { end_date: { gte: 1_795_996_800 } }],
    [row('driver_version', 'eq', '12'), { driver_version: { eq: '12' } }],
  ])('is sent in the service’s units: %j', (typed, expected) => {
    expect(sent(typed)).toEqual({ ok: true, filters: expected })
  })

  test('of a field that nobody knows takes JSON’s own literals, and everything else as a text', () => {
    const of = (text: string) => {
      const result = sent(row('made_up', 'eq', text))
      return result.ok ? result.filters['made_up']?.['eq'] : undefined
    }
    expect(['12', 'true', 'null', '"12"', 'blue', '10.0.0.1', '-', '"'].map(of)).toEqual([
      12,
      true,
      null,
      '12',
      'blue',
      '10.0.0.1',
      '-',
      '"',
    ])
  })

  test('without a value is no condition', () => {
    expect(sent(row('gpu_name', 'eq', ' '), row('num_gpus', 'in'))).toEqual({ ok: true, filters: {} })
  })

  test.each([
    row('dph_total', 'lte', 'cheap'),
    row('dph_total', 'lte', '0x10'),
    row('num_gpus', 'eq', '1.5'),
    row('verified', 'eq', 'maybe'),
    row('end_date', 'lt', 'tomorrow'),
    row('end_date', 'lt', '2026-13-45'),
    row('num_gpus', 'in', '1', 'two'),
    row('__proto__', 'eq', '1'),
    row(' ', 'eq', '1'),
  ])('that makes no sense is named: %j', (typed) => {
    expect(wrong([row('gpu_name', 'eq', 'H100'), typed])).toEqual({ rows: [1], json: null })
  })

  test('two rows make a range; the same comparison twice is refused, not merged', () => {
    expect(sent(row('dph_total', 'gte', '0.1'), row('dph_total', 'lte', '0.5'))).toEqual({
      ok: true,
      filters: { dph_total: { gte: 0.1, lte: 0.5 } },
    })
    expect(wrong([row('dph_total', 'lte', '0.1'), row('dph_total', 'lte', '0.5')])).toEqual({
      rows: [1],
      json: null,
    })
  })

  test('keeps what was typed on another field or comparison where it can still be meant', () => {
    expect(onField(offerFields, row('gpu_ram', 'lte', '24'), 'disk_space')).toEqual(
      row('disk_space', 'lte', '24'),
    )
    expect(onField(offerFields, row('gpu_ram', 'lte', '24'), 'gpu_name')).toEqual(row('gpu_name', 'eq', ''))
    expect(onField(offerFields, row('gpu_name', 'eq', 'H100'), 'verified')).toEqual(
      row('verified', 'eq', 'true'),
    )
    expect(withOperator(row('gpu_name', 'eq', 'H100'), 'in')).toEqual(row('gpu_name', 'in', 'H100'))
    expect(withOperator(row('gpu_name', 'in', 'H100', 'H200'), 'neq')).toEqual(row('gpu_name', 'neq', 'H100'))
    expect(withOperator(row('gpu_name', 'eq', ''), 'in')).toEqual(row('gpu_name', 'in'))
    expect(newFilterRow(offerFields, 'dlperf')).toEqual(row('dlperf', 'gte', ''))
  })
})

describe('free JSON', () => {
  test('is merged with the rows', () => {
    const draft = {
      rows: [row('made_up', 'gte', '1')],
      json: '{"made_up": {"lt": 5}, "odd": {"like": {"a": 1}}}',
    }
    expect(filtersOfDraft(draft, offerFields)).toEqual({
      ok: true,
      filters: { made_up: { gte: 1, lt: 5 }, odd: { like: { a: 1 } } },
    })
  })

  test.each([
    ['{"made_up": ', /Invalid JSON/],
    ['[]', /must be an object/],
    ['{"made_up": 5}', /“made_up” must be an object/],
    ['{"made_up": {}}', /needs an operator/],
    ['{"__proto__": {"eq": 1}}', /__proto__/],
    ['{"": {"eq": 1}}', /object|cannot be used/],
  ])('%s is told as wrong', (json, why) => {
    const result = filtersFromJson(json)
    expect(result.ok ? '' : result.why).toMatch(why)
  })

  test('that says what a row says already is refused', () => {
    expect(wrong([row('num_gpus', 'eq', '1')], '{"num_gpus": {"eq": 2}}')).toMatchObject({
      rows: [],
      json: expect.stringContaining('num_gpus'),
    })
  })
})

const someField = fc.oneof(
  fc.constantFrom(...offerFields.fields.map(({ name }) => name)),
  fc.string({ minLength: 1, maxLength: 20 }).filter((name) => name !== '__proto__'),
)
const someValue = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.integer(),
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean())),
  fc.dictionary(
    fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
    fc.integer(),
  ),
)
const someFilters: fc.Arbitrary<Filters> = fc.dictionary(
  someField,
  fc.dictionary(
    fc.oneof(fc.constantFrom(...filterOperators), fc.constantFrom('like', 'between')),
    someValue,
    {
      minKeys: 1,
    },
  ),
)

test('any conditions come back from their draft exactly as they were', () => {
  fc.assert(
    fc.property(someFilters, (asked) => {
      const back = filtersOfDraft(draftOfFilters(asked, offerFields), offerFields)
      expect(back.ok && isSameJson(back.filters, asked)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('a number that is past all numbers in the service’s unit is named as wrong', () => {
  const rows = [{ field: 'duration', operator: 'eq', values: ['-2.1e303'] } as const]
  const result = filtersOfDraft({ rows, json: '' }, offerFields)
  expect(result.ok ? [] : [...result.errors.rows.values()]).toHaveLength(1)
})

test('any rows give conditions in the service’s shape, or are named as wrong', () => {
  const someRow = fc.record({
    field: someField,
    operator: fc.constantFrom(...filterOperators),
    values: fc.array(fc.oneof(fc.string(), fc.double().map(String), fc.constantFrom('true', ''))),
  })
  fc.assert(
    fc.property(fc.array(someRow), fc.string(), (rows, json) => {
      const result = filtersOfDraft({ rows, json }, offerFields)
      if (result.ok) expect(filters.safeParse(result.filters).success).toBe(true)
      else expect(result.errors.rows.size > 0 || result.errors.json !== null).toBe(true)
    }),
  )
})

describe('in words', () => {
  test.each([
    ['verified', 'eq', true, 'verified'],
    ['verified', 'neq', true, 'not verified'],
    ['gpu_ram', 'gte', 24_000, 'VRAM at least 24 GB'],
    ['reliability', 'gt', 0.9955, 'reliability more than 99.55%'],
    ['dph_total', 'lte', 0.5555, 'price at most $0.5555/h'],
    ['geolocation', 'in', ['Oslo, NO', 'Texas, US'], 'where one of “Oslo, NO”, “Texas, US”'],
    ['end_date', 'gte', 1_796_061_600, 'available until at least 2026-11-30 18:00'],
    ['made_up', 'like', { a: 1 }, 'made_up like {"a":1}'],
    ['gpu_name', 'notin', [], 'model none of nothing'],
  ])('%s %s %j', (field, operator, value, words) => {
    expect(filterPhrase(offerFields.field(field), operator, value)).toBe(words)
  })

  test('nothing in a name or value can reorder the sentence', () => {
    expect(filterPhrase(offerFields.field('gpu_name'), 'eq', 'a\u202eb')).toBe('model is a�b')
  })
})
