import { expect, test } from 'vitest'
import { offerFields } from '#domain/offers/offer-fields.ts'
import { quickFilter, recordTexts } from '#ui/table/quick-filter.ts'

const offers = [
  {
    id: 101,
    machine_id: 7,
    gpu_name: 'RTX 4090',
    dph_total: 0.5,
    geolocation: 'Oslo, NO',
    cpu_arch: 'amd64',
  },
  {
    id: 102,
    machine_id: 8,
    gpu_name: 'RTX 3090',
    dph_total: 0.25,
    geolocation: null,
    instance_api_key: 'abc',
  },
]
const shown = ['gpu_name', 'dph_total', 'geolocation', 'instance_api_key'].map((name) =>
  offerFields.field(name),
)
const find = (typed: string) =>
  offers.filter(quickFilter(recordTexts(shown, ['id', 'machine_id', 'host_id']))(typed)).map(({ id }) => id)

test.each([
  ['', [101, 102]],
  ['rtx', [101, 102]],
  ['oslo 4090', [101]],
  ['4090 oslo', [101]],
  ['$0.250', [102]],
  ['102', [102]],
  ['7', [101]],
  ['berlin', []],
])('“%s” finds what stands in the row', (typed, ids) => {
  expect(find(typed)).toEqual(ids)
})

test('finds neither hidden columns nor what is masked', () => {
  expect(find('amd64')).toEqual([])
  expect(find('abc')).toEqual([])
})
