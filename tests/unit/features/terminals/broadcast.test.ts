import { expect, it } from 'vitest'
import { shallowRef } from 'vue'
import { createBroadcast } from '../../../../src-renderer/features/terminals/broadcast.ts'

function terminals(...keys: readonly string[]) {
  const heard: string[] = []
  const open = shallowRef(
    keys.map((key) => ({ key, receive: ({ kind }: { kind: string }) => void heard.push(`${key} ${kind}`) })),
  )
  return { open, heard, broadcast: createBroadcast(open) }
}
const typed = { kind: 'typed', data: 'x' } as const

it('goes from a chosen terminal to the others that are chosen', () => {
  const { broadcast, heard } = terminals('a', 'b', 'c')
  broadcast.toggle('a')
  broadcast.send('a', typed)
  expect([broadcast.count.value, heard]).toEqual([0, []])
  broadcast.toggle('b')
  broadcast.send('a', typed)
  broadcast.send('c', typed)
  expect([broadcast.count.value, heard]).toEqual([2, ['b typed']])
})

it('ends for one, for all, and with a terminal that is closed', () => {
  const { open, broadcast, heard } = terminals('a', 'b', 'c')
  for (const key of ['a', 'b', 'c']) broadcast.toggle(key)
  open.value = open.value.filter(({ key }) => key !== 'c')
  broadcast.toggle('b')
  broadcast.send('a', typed)
  expect([broadcast.count.value, broadcast.isChosen('b'), heard]).toEqual([0, false, []])
  broadcast.toggle('b')
  broadcast.stop()
  broadcast.send('a', typed)
  expect([broadcast.isChosen('a'), heard]).toEqual([false, []])
})
