import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitShellWords } from '#domain/base/shell-words.ts'
import { pathsText, uploadText } from '../../../../../src-renderer/features/terminals/upload/upload-text.ts'

it.each<[string, string[], string]>([
  ['/root', ['a.txt'], '/root/a.txt '],
  ['/', ['a.txt', '-b'], '/a.txt /-b '],
  ['/root', ['two words', 'b'], "'/root/two words' /root/b "],
  ['/root', ["it's"], "/root/it\\'s "],
  ['/root', ['$(reboot)`id`'], "'/root/$(reboot)`id`' "],
])('in %s, %j is put in as %s', (folder, names, text) => {
  expect(pathsText(folder, names)).toBe(text)
})

it('every path is one word, and ends with a space', () => {
  const name = fc.stringMatching(/^[^/\0-\x1f\x7f]{1,20}$/)
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => {
      const { words, unfinished } = splitShellWords(pathsText('/some where', names))
      expect(unfinished).toBe('')
      expect(words.map(({ value }) => value)).toEqual(names.map((one) => `/some where/${one}`))
    }),
  )
})

it('no quotes hold what fish or csh read within them', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a'\\! $;]{1,30}$/), (name) => {
      const text = pathsText('/r', [name])
      for (const [, quoted = ''] of text.replaceAll(/\\./g, '').matchAll(/'([^']*)'/g))
        expect(quoted).not.toMatch(/[\\!]/)
    }),
  )
})

it.each<[string, Parameters<typeof uploadText>[2], string]>([
  ['what failed', { kind: 'failed', problem: { kind: 'silent' }, names: ['b'] }, 'Couldn’t upload b to /r.'],
  [
    'what is there',
    { kind: 'done', names: ['a'], skipped: 1, doubt: null },
    'Uploaded a to /r. 1 entry was skipped',
  ],
  [
    'that all was skipped',
    { kind: 'done', names: [], skipped: 3, doubt: 'asked' },
    'Nothing was uploaded to /r. 3 entries were skipped',
  ],
  [
    'nothing of what was answered to “Files already exist”',
    { kind: 'done', names: ['a'], skipped: 0, doubt: 'asked' },
    'The upload to /r is done. Files already existed, so no path was pasted.',
  ],
  ['that it waits for its user', { kind: 'paused' }, 'The upload of 3 entries to /r is paused.'],
  ['what will be pasted', { kind: 'going', pastes: true }, 'to /r. Slipway pastes the path'],
  [
    'no names that may not be there',
    { kind: 'done', names: ['a', 'b', 'c'], skipped: 101, doubt: 'too-many-skipped' },
    'The upload to /r is done. 101 entries were skipped, so no path was pasted.',
  ],
])('of three names, it says %s', (_, state, text) => {
  expect(uploadText(['a', 'b', 'c'], '/r', state)).toContain(text)
})
