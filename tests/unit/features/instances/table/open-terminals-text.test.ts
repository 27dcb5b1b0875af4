import { expect, it } from 'vitest'
import type { ListedInstance } from '#domain/instances/listed-instance.ts'
import {
  leftOutText,
  openTerminalsText,
  placeItems,
} from '../../../../../src-renderer/features/instances/table/open-terminals-text.ts'

it.each([
  [0, 'None of these instances is running.'],
  [1, 'Opens a terminal on 1 instance.'],
  [20, 'Opens a terminal on each of 20 instances.'],
  [21, /^Opens a terminal on each of 21 instances\. Connecting to that many takes a while/],
  [65, '65 instances are running. Select 64 at most.'],
])('says what is opened on %d instances', (count, text) => {
  expect(openTerminalsText(count)).toEqual(text instanceof RegExp ? expect.stringMatching(text) : text)
})

it('names the first of those that are left out', () => {
  const instance = (id: number, label: string | null) =>
    ({ id, record: { label } }) as unknown as ListedInstance
  expect(leftOutText([instance(1, 'train'), instance(2, null)])).toBe('Left out, not running: train (1), 2.')
  const many = Array.from({ length: 8 }, (_, id) => instance(id, null))
  expect(leftOutText(many)).toBe('Left out, not running: 0, 1, 2, 3, 4, and 3 more.')
})

it('offers splits only where all of them can be read', () => {
  expect(placeItems(true).map(({ disabled }) => disabled === true)).toEqual([false, false])
  expect(placeItems(false)[1]).toMatchObject({ disabled: true, description: 'For 12 terminals at most.' })
})
