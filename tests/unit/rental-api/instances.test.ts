import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameJson } from '#domain/base/json-value.ts'
import { instanceRecord } from '#domain/instances/instance.ts'
import { isInstanceRecord } from '#services/rental-api/instances.ts'

const some = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.integer(), fc.string(), fc.constant(null))
const someRecord = fc.record(
  { id: some, actual_status: some, ssh_host: some, ssh_port: some, gpu_name: some },
  { requiredKeys: [] },
)

test('what needs no look is what the schema gives as it is', () => {
  fc.assert(
    fc.property(fc.oneof(someRecord, fc.jsonValue()), (value) => {
      const parsed = instanceRecord.safeParse(value)
      if (isInstanceRecord(value)) expect(parsed).toEqual({ success: true, data: value })
      else expect(parsed.success && isSameJson(parsed.data, value)).toBe(false)
    }),
  )
})

test.each([
  ['{"id":1,"actual_status":"running","ssh_host":"ssh4","ssh_port":2222,"gpu_name":null}', true],
  ['{"id":1}', true],
  ['{"id":"1"}', false],
  ['{"id":1.5}', false],
  ['{"id":1,"actual_status":7}', false],
  ['{"id":1,"ssh_host":[]}', false],
  ['{"id":1,"ssh_port":"22"}', false],
  ['{"id":1,"__proto__":{"ssh_host":"elsewhere"}}', false],
  ['[]', false],
  ['null', false],
])('%s', (text, isAsItIs) => {
  expect(isInstanceRecord(JSON.parse(text))).toBe(isAsItIs)
})
