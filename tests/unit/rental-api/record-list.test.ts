import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { instanceRecord } from '#domain/instances/instance.ts'
import { methodRecord } from '#domain/two-factor/methods.ts'
import { mostUnreadable, recordList } from '#services/rental-api/record-list.ts'

const list = recordList(z.looseObject({ id: z.number().int(), name: z.string() }))

test('a record that does not fit is told of with its place, its id, and why; the others are there', () => {
  const read = list.parse([
    { id: 1, name: 'one' },
    { id: 2, name: 2 },
    null,
    { id: 4, name: 'four', more: true },
  ])
  expect(read.records).toEqual([
    { id: 1, name: 'one' },
    { id: 4, name: 'four', more: true },
  ])
  expect(read.unreadable).toMatchObject([
    { place: 2, id: 2, detail: expect.stringMatching(/^name: .+/) },
    { place: 3, id: null, detail: expect.not.stringContaining('name') },
  ])
})

test('nothing found is nothing unreadable', () => {
  expect(list.parse([])).toEqual({ records: [], unreadable: [] })
})

test('the only record is told of like any other when it does not fit', () => {
  expect(list.parse([{ id: 'one', name: 'one' }])).toMatchObject({
    records: [],
    unreadable: [{ place: 1, id: null, detail: expect.stringMatching(/^id: .+/) }],
  })
})

test.each([
  ['none', [{ id: 'one' }, { id: 'two' }]],
  ['no record, but a text,', ['nothing to see here']],
  ['no record, but a list,', [[{ id: 1, name: 'one' }]]],
  ['no record, but nothing,', [null]],
  [
    'too few',
    [
      ...Array.from({ length: mostUnreadable + 1 }, (_, index) => ({ id: index })),
      { id: 1000, name: 'readable' },
    ],
  ],
])('a reply of which %s can be read is named by the path of the first', (_, values) => {
  const read = z.object({ all: list }).safeParse({ all: values })
  expect(read.error?.issues[0]?.path.slice(0, 2)).toEqual(['all', 0])
})

describe('an instance', () => {
  test('stays in sight when its address is not as promised', () => {
    const record = { id: 1, actual_status: 'running', ssh_host: 7, ssh_port: '22' }
    expect(instanceRecord.parse(record)).toEqual({
      id: 1,
      actual_status: 'running',
      ssh_host: null,
      ssh_port: null,
    })
  })

  test('whose status is no text is neither provisioned nor of a status that is known', () => {
    expect(instanceRecord.parse({ id: 1, actual_status: { was: 'running' } }).actual_status).toBe(
      '{"was":"running"}',
    )
  })
})

test('a method is there with what can be read of it', () => {
  const record = { id: 3, method: 'totp', label: 5, is_primary: 'yes', created_at: 'now' }
  expect(methodRecord.parse(record)).toMatchObject({ id: 3, method: 'totp', label: null, is_primary: null })
})
