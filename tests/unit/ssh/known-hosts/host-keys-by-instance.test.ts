import { describe, expect, test } from 'vitest'
import type { InstanceHostKeysFile } from '#domain/ssh/instance-host-keys.ts'
import {
  HostKeysByInstance,
  type HostKeysByInstanceOptions,
} from '#services/ssh/known-hosts/host-keys-by-instance.ts'
import { memoryLog } from '../../../support/memory-log.ts'

const day = 24 * 3_600_000
const key = (name: string) => ({ algorithm: 'ssh-ed25519', fingerprint: `SHA256:${name}` })
const place = (port: number) => ({ host: 'relay.example', port })

function open(whereIs: HostKeysByInstanceOptions['whereIs'] = () => 'gone') {
  let value: InstanceHostKeysFile = {}
  let writes = 0
  let at = 1_000
  const keys = new HostKeysByInstance({
    file: {
      get value() {
        return value
      },
      update: (change) => {
        writes += 1
        value = change(value)
        return Promise.resolve()
      },
    },
    whereIs,
    now: () => at,
    log: memoryLog(),
  })
  return { keys, pass: (ms: number) => (at += ms), writes: () => writes, value: () => value }
}

describe('what an instance is remembered by', () => {
  test('is its keys and addresses, written when something is new', async () => {
    const { keys, writes, value, pass } = open()
    const memory = keys.of(7)
    await memory.remember(key('a'), place(1))
    await memory.remember(key('a'), place(1))
    expect(writes()).toBe(1)
    await memory.remember(key('a'), place(2))
    pass(2 * day)
    await memory.remember(key('a'), place(2))
    expect(writes()).toBe(3)
    expect(value()[7]).toEqual({
      keys: [{ ...key('a'), trustedAt: 1_000 }],
      addresses: [place(2), place(1)],
      seenAt: 1_000 + 2 * day,
    })
  })

  test('knows where it was', async () => {
    const { keys } = open()
    await keys.of(7).remember(key('a'), place(1))
    expect(keys.of(7).wasAt(place(1))).toBe(true)
    expect(keys.of(7).wasAt(place(2))).toBe(false)
    expect(keys.of(8).wasAt(place(1))).toBe(false)
  })

  test('speaks against another key, and says whose that is', async () => {
    const { keys } = open()
    expect(keys.of(7).against(key('x'))).toBeNull()
    await keys.of(7).remember(key('a'), place(1))
    await keys.of(8).remember(key('b'), place(2))
    expect(keys.of(7).against(key('a'))).toBeNull()
    expect(keys.of(7).against(key('x'))).toMatchObject({ lastAddress: place(1), keyOf: null })
    expect(keys.of(7).against(key('b'))).toMatchObject({ keys: [key('a')], keyOf: 8 })
    await keys.forget(7)
    expect(keys.of(7).against(key('x'))).toBeNull()
  })

  test('takes imported keys only where there is none yet: another one would be believed without a question', async () => {
    const { keys } = open()
    await keys.acceptImported(7, [key('a'), key('b')])
    expect([key('a'), key('b'), key('x')].map(keys.of(7).isAccepted)).toEqual([true, true, false])
    await keys.of(8).accept(key('c'))
    await keys.acceptImported(8, [key('a')])
    expect(keys.of(8).isAccepted(key('a'))).toBe(false)
    await keys.of(9).remember(key('d'), place(1))
    await keys.acceptImported(9, [key('a')])
    expect(keys.of(9).against(key('a'))).not.toBeNull()
  })

  test.each([
    ['destroyed', 'gone', { instanceId: 8, fate: 'gone' }],
    ['elsewhere', [place(9)], { instanceId: 8, fate: 'moved' }],
    ['still there', [place(9), place(1)], null],
    ['nowhere yet', [], null],
    ['not known', null, null],
  ] as const)('explains a key in the way by an instance that is %s', async (_, where, expected) => {
    const { keys } = open(() => where)
    await keys.of(8).remember(key('b'), place(1))
    expect(keys.of(7).formerTenant(place(1), [key('b')])).toEqual(expected)
    expect(keys.of(7).formerTenant(place(1), [key('b'), key('c')])).toBeNull()
    expect(keys.of(7).formerTenant(place(2), [key('b')])).toBeNull()
    // To itself nobody is another one.
    expect(keys.of(8).formerTenant(place(1), [key('b')])).toBeNull()
  })

  test('is also what was accepted before a login, which is not where it was reached, and speaks against another key', async () => {
    const { keys, value } = open()
    const memory = keys.of(7)
    await memory.accept(key('a'))
    await memory.accept(key('a'))
    expect(memory.isAccepted(key('a'))).toBe(true)
    expect(memory.keys()).toEqual([])
    expect(keys.addressesOf(7)).toEqual([])
    expect(memory.against(key('a'))).toBeNull()
    expect(memory.against(key('x'))).toMatchObject({ keys: [key('a')], lastAddress: null })
    expect(keys.of(8).against(key('a'))).toBeNull()
    await keys.forget(7)
    expect(memory.against(key('x'))).toBeNull()
    await memory.accept(key('a'))
    await memory.remember(key('a'), place(1))
    expect(value()[7]).toEqual({
      keys: [{ ...key('a'), trustedAt: 1_000 }],
      addresses: [place(1)],
      seenAt: 1_000,
    })
  })

  test('outlasts the instance by a year, and no longer; what is listed stays', async () => {
    const { keys, pass, value } = open((id) => (id === 1 ? [place(1)] : 'gone'))
    await keys.of(1).remember(key('a'), place(1))
    await keys.of(2).remember(key('b'), place(2))
    pass(364 * day)
    await keys.of(3).remember(key('c'), place(3))
    expect(Object.keys(value())).toEqual(['1', '2', '3'])
    pass(2 * day)
    await keys.of(4).remember(key('d'), place(4))
    expect(Object.keys(value())).toEqual(['1', '3', '4'])
  })

  test('is bounded for each instance', async () => {
    const { keys, value } = open()
    for (let count = 0; count < 20; count += 1)
      await keys.of(7).remember(key(String(count)), place(count + 1))
    expect(value()[7]?.keys.map(({ fingerprint }) => fingerprint)).toHaveLength(8)
    expect(value()[7]?.keys[0]).toMatchObject(key('19'))
    expect(value()[7]?.addresses).toHaveLength(8)
  })
})
