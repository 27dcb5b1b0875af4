import { expect, test } from 'vitest'
import { effectScope, nextTick, ref } from 'vue'
import { jumpHostsDraft } from '#shared/ssh/jump-hosts-draft.ts'
import { useTypedText } from '#ui/forms/use-typed-text.ts'

function fieldOver(kept: () => string, asKept?: (typed: string) => string | null) {
  const field = effectScope().run(() => useTypedText(kept, asKept))
  if (!field) throw new Error('The scope has ended')
  return field
}

test('a field shows what is kept, also when that comes late or is changed elsewhere', async () => {
  const kept = ref('')
  const { typed, isChanged } = fieldOver(() => kept.value)
  for (const text of ['training', 'evaluation', '']) {
    kept.value = text
    await nextTick()
    expect([typed.value, isChanged.value]).toEqual([text, false])
  }
})

test('what is being typed stays when what is kept comes late or is changed elsewhere', async () => {
  const kept = ref('')
  const { typed, isChanged } = fieldOver(() => kept.value)
  typed.value = 'half a na'
  for (const text of ['training', 'evaluation']) {
    kept.value = text
    await nextTick()
    expect([typed.value, isChanged.value]).toEqual(['half a na', true])
  }
})

test('what was typed and is kept now is no change, however it is written; typed on, it is one', async () => {
  const kept = ref('')
  const { typed, isChanged } = fieldOver(() => kept.value, jumpHostsDraft)
  typed.value = ' me@bastion,  inner '
  expect(isChanged.value).toBe(true)
  kept.value = jumpHostsDraft(typed.value) ?? 'not readable'
  await nextTick()
  expect([typed.value, isChanged.value]).toEqual([' me@bastion,  inner ', false])
  typed.value += ','
  expect(isChanged.value).toBe(true)
})
