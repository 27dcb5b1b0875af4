import fc from 'fast-check'
import { expect, test } from 'vitest'
import { whyNotAFileName } from '#domain/files/file-name.ts'
import { partName } from '#services/files/part-name.ts'

const source = { path: '/data/model.bin', size: 10, modifiedAt: 1_000 }

test('a part stands for one content of one file', () => {
  const name = partName('model.bin', source)
  expect(name).toMatch(/^\.model\.bin\.[0-9a-f]{12}\.part$/)
  expect(partName('model.bin', { ...source })).toBe(name)
  for (const other of [{ size: 11 }, { modifiedAt: 2_000 }, { path: '/other/model.bin' }, { instanceId: 7 }])
    expect(partName('model.bin', { ...source, ...other })).not.toBe(name)
  // What earlier versions left of uploads is gone on with.
  expect(partName('model.bin', { ...source, instanceId: null })).toBe(name)
})

test('the part of any file has a name that a file can have', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((each) => whyNotAFileName(each, 'posix') === null)
  fc.assert(fc.property(name, (each) => whyNotAFileName(partName(each, source), 'posix') === null))
  expect(whyNotAFileName(partName('ä'.repeat(127), source), 'posix')).toBeNull()
})
