import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sortedByValue } from '#domain/fields/field-catalog.ts'
import type { ListedInstance } from '#domain/instances/listed-instance.ts'
import { sshAddressesOf } from '#domain/ssh/ssh-address.ts'
import {
  cellText,
  instanceColumns,
  sortValue,
  type CellContext,
} from '../../../../../src-renderer/features/instances/table/instance-columns.ts'

const now = 1_795_232_670_000
/** SSH goes to each at the service's address. */
const at: CellContext = {
  now,
  addressOf: ({ record }) => sshAddressesOf(record).proxy,
  figuresOf: () => undefined,
}
const [hour, startedAt] = [3600, now / 1000]

function instance(id: number, record: Record<string, unknown> = {}, status = 'running'): ListedInstance {
  return { id, status, record: { id, ...record }, history: [{ status, at: now }], pending: null }
}

function column(name: string) {
  const field = instanceColumns.fields.find((one) => one.name === name)
  if (field === undefined) throw new Error(`There is no column ${name}`)
  return field
}

function order(name: string, direction: 'asc' | 'desc', ...instances: readonly ListedInstance[]) {
  const valueOf = (one: ListedInstance, field: string): unknown => sortValue(one, field, at)
  return sortedByValue(instances, { field: column(name), direction }, valueOf).map(({ id }) => id)
}

describe('what a column shows', () => {
  test('unknown is a dash, never 0', () => {
    const one = instance(7, { ssh_host: '-x' })
    for (const name of ['label', 'gpu_name', 'age', 'charge', 'cost', 'address'])
      expect(cellText(column(name), one, at), name).toBe('–')
  })

  test('the own label stands before the service’s, and a model with how many there are', () => {
    const one = instance(7, { label: 'theirs', gpu_name: 'RTX 4090', num_gpus: 2 })
    expect(cellText(column('label'), one, at)).toBe('theirs')
    expect(cellText(column('label'), { ...one, own: { label: 'mine', note: '' } }, at)).toBe('mine')
    expect(cellText(column('gpu_name'), one, at)).toBe('2 × RTX 4090')
  })

  test('the address is the one that SSH goes to, not the one that the record has besides', () => {
    const one = instance(7, {
      public_ipaddr: '203.0.113.7',
      ports: { '22/tcp': [{ HostPort: '40022' }] },
      ssh_host: 'ssh4.example.com',
      ssh_port: 31_022,
    })
    expect(cellText(column('address'), one, at)).toBe('ssh4.example.com:31022')
    // It's another one as soon as that changes, though the list is the same.
    const addressOf = (): null => null
    expect(cellText(column('address'), one, { ...at, addressOf })).toBe('–')
  })

  test('any field of the service may be one, as it came; what is secret is masked, what is long is cut', () => {
    const one = instance(7, { gpu_util: 5, jupyter_token: 'abc', cost: 9, notes: 'x'.repeat(5000) })
    const columns = instanceColumns.present([one])
    const text = (name: string) =>
      columns.filter((field) => field.name === name).map((field) => cellText(field, one, at))
    expect(text('gpu_util')).toEqual(['5'])
    expect(text('jupyter_token')).toEqual(['••••••'])
    expect(text('notes')[0]).toHaveLength(300)
    // Slipway's own column of that name stays what it is.
    expect(text('cost')).toEqual(['–'])
  })

  test('any record gives a text and a place for each column', () => {
    const names = ['label', 'gpu_name', 'num_gpus', 'dph_total', 'start_date', 'ports', 'ssh_host', 'state']
    const record = fc.dictionary(fc.constantFrom(...names), fc.jsonValue())
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
        const instances = records.map((fields, id) => instance(id, fields))
        for (const field of instanceColumns.present(instances)) {
          for (const one of instances) expect(typeof cellText(field, one, at)).toBe('string')
          const valueOf = (one: ListedInstance, name: string): unknown => sortValue(one, name, at)
          expect(sortedByValue(instances, { field, direction: 'asc' }, valueOf)).toHaveLength(
            instances.length,
          )
        }
      }),
    )
  })
})

describe('the order of a column', () => {
  test('ages go from the youngest, and an unknown one is last either way', () => {
    const [young, old, unknown] = [
      instance(1, { start_date: startedAt - hour }),
      instance(2, { start_date: startedAt - 9 * hour }),
      instance(3),
    ]
    expect(order('age', 'asc', unknown, old, young)).toEqual([1, 2, 3])
    expect(order('age', 'desc', unknown, young, old)).toEqual([2, 1, 3])
  })

  test('costs go by what they are, not by how they are written', () => {
    const ran = (id: number, perHourUsd: number) =>
      instance(id, { dph_total: perHourUsd, start_date: startedAt - 10 * hour })
    expect(order('cost', 'asc', ran(1, 10), ran(2, 2), ran(3, 0.5))).toEqual([3, 2, 1])
    expect(order('charge', 'desc', ran(1, 2), ran(2, 10), ran(3, 0.5))).toEqual([2, 1, 3])
  })

  test('machines of one model stand together, however many GPUs they have', () => {
    const of = (id: number, gpu_name: string, num_gpus: number) => instance(id, { gpu_name, num_gpus })
    expect(order('gpu_name', 'asc', of(1, 'RTX 4090', 1), of(2, 'A100', 8), of(3, 'RTX 4090', 2))).toEqual([
      2, 1, 3,
    ])
  })

  test('states go by their words', () => {
    const [running, offline] = [instance(1), instance(2, {}, 'offline')]
    expect(order('state', 'asc', running, offline)).toEqual([2, 1])
  })
})
