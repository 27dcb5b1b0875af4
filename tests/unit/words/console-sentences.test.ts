import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { statementsOf } from '../../integration/simulator/conformance/statements.ts'
import { textOf, top } from '../docs/pages.ts'
import { comparison, consoleSentences } from './console-sentences.ts'
import { shownFiles } from './shown-files.ts'
import { shownTexts } from './shown-texts.ts'

/** Sentences about the service's console in what a user meets of a file. */
function consoleSentencesIn(file: string, source: string): readonly string[] {
  return shownTexts(file, source)
    .flatMap(({ text }) => text.split(/(?<=[.?!])\s+|\n\s*\n/))
    .filter((sentence) => /\b(?:console|dashboard|website)\b/i.test(sentence))
    .map((sentence) => sentence.trim().replaceAll(/\s+/g, ' ').replaceAll("'", '’'))
    .map((sentence) => sentence.replaceAll(/^[’`]|[’`]$/g, ''))
}

test('a sentence says of the service’s console only what its document says: list it with the document’s words, or cut it', () => {
  const found = shownFiles
    .filter((file) => file !== comparison)
    .flatMap((file) =>
      consoleSentencesIn(file, readFileSync(join(top, file), 'utf8')).map((sentence) => ({ file, sentence })),
    )
  expect(found).toEqual(consoleSentences.map(({ file, sentence }) => ({ file, sentence })))
})

test('the document says so, where it’s said to', () => {
  const statements = statementsOf(textOf('docs/service-api.md'))
  const unsaid = consoleSentences.filter(
    ({ source }) =>
      !statements.some(({ section, text }) => section === source.section && text.includes(source.says)),
  )
  expect(unsaid).toEqual([])
})

test.each([
  ['src-renderer/a-text.ts', 'const text = `Not here. Add credit in the console. Then rent.`'],
  ['src-renderer/A.vue', '<template><p>Not here. Add credit in\n the console.</p></template>'],
  ['src-renderer/A.vue', '<template><p title="Add credit in the console." /></template>'],
  ['docs/a.md', '# Not here\n\nAdd credit in\nthe console.'],
])('finds one in %s: %s', (file, source) => {
  expect(consoleSentencesIn(file, source)).toEqual(['Add credit in the console.'])
})
