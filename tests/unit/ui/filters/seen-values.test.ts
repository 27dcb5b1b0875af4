import { expect, test } from 'vitest'
import { sortedTexts, withSeen } from '#ui/filters/seen-values.ts'

test('texts add up over searches, in an order that people expect, without secrets and prices', () => {
  const first = withSeen(new Map(), [
    { id: 1, gpu_name: 'RTX 4090', dph_total: 1, instance_api_key: 'secret', empty: ' ' },
    { id: 2, gpu_name: 'RTX 4090' },
  ])
  const seen = withSeen(first, [
    { id: 3, gpu_name: 'RTX 390' },
    { id: 4, gpu_name: 'x'.repeat(101) },
  ])
  expect(sortedTexts(seen.get('gpu_name'))).toEqual(['RTX 390', 'RTX 4090'])
  expect([...seen.keys()]).toEqual(['gpu_name'])
  expect(sortedTexts(first.get('gpu_name'))).toEqual(['RTX 4090'])
  expect(sortedTexts(undefined)).toEqual([])
})
