import fc from 'fast-check'
import { nextTick, ref } from 'vue'
import { expect, test } from 'vitest'
import { useTextParts } from '../../../../../src-renderer/features/templates/editor/use-text-parts.ts'

const line = `${'x'.repeat(99)}\n`
const long = line.repeat(1000)
const noCaret = { get: () => 0, set: () => undefined }

test('only a part is in sight, and an edit of it changes nothing else', () => {
  const text = ref(long)
  const { part, at, count, go } = useTextParts(text, 50_000, noCaret)
  expect(count.value).toBe(5)
  expect(part.value.length).toBeLessThanOrEqual(20_000)
  go(count.value - 1)
  part.value = `${part.value}the end`
  expect(text.value).toBe(`${long}the end`)
  go(-1)
  expect(at.value).toBe(0)
  part.value = ''
  go(99)
  expect(part.value).toMatch(/the end$/)
  expect(text.value).toBe(`${long}the end`.slice(20_000))
})

test('what is pasted is cut anew, and nothing of it is lost', () => {
  const text = ref(long)
  const { part, count, go } = useTextParts(text, 50_000, noCaret)
  go(1)
  part.value = `${long}${part.value}`
  expect(part.value.length).toBeLessThanOrEqual(20_000)
  expect(count.value).toBe(10)
  expect(text.value).toBe(long + long)
})

test('after a paste that is cut anew, writing goes on where it ended', () => {
  const text = ref(long)
  const carets: number[] = []
  const pasted = long + 'the end'
  const { part, at, go } = useTextParts(text, 50_000, {
    get: () => pasted.length,
    set: (to) => void carets.push(to),
  })
  go(1)
  part.value = pasted + part.value
  expect(at.value).toBe(6)
  expect(part.value.slice(0, carets[0])).toBe('the end')
  expect(carets).toHaveLength(1)
})

test('what is put in its place elsewhere is seen', async () => {
  const text = ref(long)
  const { part, at, go } = useTextParts(text, 50_000, noCaret)
  go(4)
  text.value = 'short'
  await nextTick()
  expect([part.value, at.value]).toEqual(['short', 0])
  text.value = ''
  await nextTick()
  part.value = 'typed'
  expect(text.value).toBe('typed')
})

test('whatever is typed into whichever parts, the text is all of them', () => {
  const typed = fc
    .tuple(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(3000))
    .map(([word, times]) => word.repeat(times))
  const edits = fc.array(fc.tuple(fc.nat(6), typed), { maxLength: 4 })
  fc.assert(
    fc.property(edits, (all) => {
      const text = ref(long)
      const { part, count, go } = useTextParts(text, 50_000, noCaret)
      for (const [to, words] of all) {
        go(to)
        part.value = words
        expect(text.value.includes(words)).toBe(true)
      }
      const seen: string[] = []
      for (let each = 0; each < count.value; each += 1) {
        go(each)
        seen.push(part.value)
      }
      expect(seen.join('')).toBe(text.value)
    }),
    { numRuns: 30 },
  )
})
