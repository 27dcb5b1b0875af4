import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatField, formatFieldWithUnit } from '#domain/fields/field-format.ts'
import { instanceFields } from '#domain/instances/instance-fields.ts'
import { offerFields } from '#domain/offers/offer-fields.ts'

const offer = (name: string, value: unknown): string => formatField(offerFields.field(name), value)
const withUnit = (name: string, value: unknown): string => formatFieldWithUnit(offerFields.field(name), value)

describe('known fields', () => {
  test.each([
    ['dph_total', 0.34212, '$0.342', '$0.342/h'],
    ['dph_total', 12, '$12.000', '$12.000/h'],
    ['storage_cost', 0.15, '$0.150', '$0.150/GB/month'],
    ['gpu_ram', 24_564, '24.6', '24.6 GB'],
    ['reliability', 0.9963, '99.6', '99.6%'],
    ['duration', 86_400 * 12.5, '12.5', '12.5 days'],
    ['compute_cap', 890, '8.9', '8.9'],
    ['inet_down', 1820.4, '1,820', '1,820 Mb/s'],
    ['machine_id', 123_456, '123456', '123456'],
    ['gpu_max_temp', 90, '90', '90°C'],
    ['verified', true, 'yes', 'yes'],
    ['end_date', 1_795_232_670, '2026-11-21 03:44 UTC', '2026-11-21 03:44 UTC'],
  ])('%s %s is shown as %s', (name, value, text, full) => {
    expect(offer(name, value)).toBe(text)
    expect(withUnit(name, value)).toBe(full)
  })

  test('a price that is not 0 is never shown as 0', () => {
    expect(offer('dph_total', 0.00012)).toBe('$0.00012')
    expect(offer('dph_total', 0)).toBe('$0.000')
  })

  test('unknown is a dash, not 0', () => {
    for (const value of [null, undefined, '', '  ', Number.NaN, Infinity]) {
      expect(offer('dph_total', value)).toBe('–')
      expect(withUnit('dph_total', value)).toBe('–')
    }
  })
})

test('a measure of −1 is unknown', () => {
  expect(formatFieldWithUnit(instanceFields.field('disk_usage'), -1)).toBe('–')
  expect(formatFieldWithUnit(instanceFields.field('disk_usage'), 1.24)).toBe('1.2 GB')
})

describe('values of another type than expected are shown as they came', () => {
  test.each([
    ['dph_total', '0.34', '0.34'],
    ['dph_total', { a: 1 }, '{"a":1}'],
    ['num_gpus', [1, 2], '[1,2]'],
    ['verified', 'deverified', 'deverified'],
    ['end_date', 1e300, '1e+300'],
    ['gpu_name', 4090, '4090'],
    ['gpu_name', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ])('%s %j', (name, value, text) => {
    expect(offer(name, value)).toBe(text)
    expect(withUnit(name, value)).toBe(text)
  })

  test('a text cannot reorder or hide what stands beside it', () => {
    expect(offer('gpu_name', 'RTX\u202E0904\u200B')).toBe('RTX�0904�')
    expect(offer('gpu_name', 'a\u001B[31m')).toBe('a�[31m')
  })

  test('a very long text ends', () => {
    expect(offer('something', 'x'.repeat(100_000)).length).toBeLessThan(2100)
  })
})

describe('secrets', () => {
  test.each(['instance_api_key', 'jupyter_token', 'jupyterToken', 'docker_login_pass', 'HF_TOKEN'])(
    'a field %s is masked whatever it holds',
    (name) => {
      for (const value of ['hunter2-canary', { deep: 'hunter2-canary' }, ['hunter2-canary'], 4242])
        expect(formatFieldWithUnit(instanceFields.field(name), value)).toBe('••••••')
    },
  )
  test.each(['machine_id', 'monkey_business', 'ssh_key', 'compute_cap', 'passage'])(
    '%s is not one',
    (name) => {
      expect(formatField(instanceFields.field(name), 'seen')).toBe('seen')
    },
  )
  test('are masked inside other values too', () => {
    const env = formatField(instanceFields.field('extra_env'), [
      ['HF_TOKEN', 'hunter2-canary'],
      ['-p 70001:70001', '1'],
    ])
    expect(env).toBe('[["HF_TOKEN","••••••"],["-p 70001:70001","1"]]')
    expect(formatField(instanceFields.field('onstart'), 'export API_KEY=hunter2-canary; run')).not.toContain(
      'hunter2-canary',
    )
    expect(
      formatField(instanceFields.field('extra'), { list: [{ password: 'hunter2-canary' }] }),
    ).not.toContain('hunter2-canary')
  })
})

test('any JSON in any field gives a text and never throws', () => {
  const names = [...offerFields.fields, ...instanceFields.fields].map(({ name }) => name)
  fc.assert(
    fc.property(
      fc.oneof(
        fc.constantFrom(...names),
        fc.string(),
        fc.constantFrom('__proto__', 'constructor', 'toString'),
      ),
      fc.oneof(fc.jsonValue(), fc.double(), fc.constant(undefined)),
      (name, value) => {
        for (const catalog of [offerFields, instanceFields]) {
          const text = formatFieldWithUnit(catalog.field(name), value)
          expect(text).not.toBe('')
          expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u0000-\u0008]/)
        }
      },
    ),
    { numRuns: 2000 },
  )
})
