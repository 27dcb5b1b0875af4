import fc from 'fast-check'
import { expect, test } from 'vitest'
import { offer } from '#domain/offers/offer.ts'
import { isOffer } from '#services/rental-api/offers.ts'
import { recordList } from '#services/rental-api/record-list.ts'

const ids = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(null, '7', true, 2 ** 53, -0, [7]))
const records = fc.oneof(
  fc.jsonValue(),
  fc.record({ id: ids, more: fc.jsonValue() }, { requiredKeys: [] }),
  fc.tuple(ids, fc.jsonValue()).map(([id, more]) => ({ id, ['__proto__']: more })),
)

test('an offer that is taken as it is, is what its schema would make of it; all others go by the schema', () => {
  fc.assert(
    fc.property(fc.array(records, { maxLength: 5 }), (sent) => {
      // As the service's JSON has it: a field may be called __proto__.
      const values: unknown = JSON.parse(JSON.stringify(sent))
      const [quick, slow] = [recordList(offer, isOffer), recordList(offer)].map((list) =>
        list.safeParse(values),
      )
      expect(quick?.data).toStrictEqual(slow?.data)
      expect(quick?.error?.issues).toEqual(slow?.error?.issues)
    }),
  )
})

test.each([
  ['a field that would be another prototype', '{"id":7,"__proto__":{"rentable":true}}', '{"id":7}'],
  ['nothing of the kind', '{"gpu":"é","id":7}', '{"gpu":"é","id":7}'],
])('an offer with %s', (_name, sent, kept) => {
  const { records: read } = recordList(offer, isOffer).parse([JSON.parse(sent)])
  expect(JSON.parse(JSON.stringify(read))).toStrictEqual([JSON.parse(kept)])
})
