import fc from 'fast-check'
import { expect, test } from 'vitest'
import { definitionFileText } from '#domain/jobs/definition-file.ts'
import { readDropped } from '../../../../src-renderer/features/jobs/use-definition-drop.ts'
import { anyDefinitionContent } from '../../jobs/job-arbitrary.ts'

test('a file that is dropped says what it says in its folder', async () => {
  await fc.assert(
    fc.asyncProperty(anyDefinitionContent, async (content) => {
      const dropped = await readDropped(new File([definitionFileText(content)], 'slipway.json'))
      expect(dropped).toEqual({ kind: 'read', ...content, unknown: [] })
    }),
    { numRuns: 30 },
  )
})

test('what is no definition is told as a fault, with the field', async () => {
  expect(await readDropped(new File(['\u0000\u0001PNG'], 'picture.png'))).toMatchObject({ fault: 'not-json' })
  expect(await readDropped(new File(['{"version":1,"name":7}'], 'slipway.json'))).toMatchObject({
    fault: 'unfit',
    path: 'name',
  })
})

test('a file far too long is not read at all, and a folder has no text', async () => {
  const text = () => Promise.reject(new DOMException('A folder', 'NotFoundError'))
  expect(await readDropped({ size: 5e9, text: () => expect.unreachable() })).toMatchObject({
    fault: 'too-long',
  })
  expect(await readDropped({ size: 4096, text })).toMatchObject({ fault: 'unreadable' })
})
