import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quoteShellWord, splitShellWords } from '#domain/base/shell-words.ts'

const valuesOf = (line: string): string[] => splitShellWords(line).words.map(({ value }) => value)

test.each([
  [`-e A=1  -e "B=two words"`, ['-e', 'A=1', '-e', 'B=two words']],
  [`-e C='it'"'"'s'`, ['-e', `C=it's`]],
  [`a\\ b "\\$x \\" \\n"`, ['a b', `$x " \\n`]],
  [`URL=http://h/?a=1&b=$c#d*`, ['URL=http://h/?a=1&b=$c#d*']],
  [`one \\\n  two tw\\\no`, ['one', 'two', 'two']],
  [`'' "" x`, ['', '', 'x']],
  [`'a\nb'`, ['a\nb']],
  ['', []],
])('%j is the words %j', (line, words) => {
  expect(valuesOf(line)).toEqual(words)
  expect(splitShellWords(line).unfinished).toBe('')
})

test.each([
  [`-e A=1 -e 'B=two`, `'B=two`],
  [`-e A=1 -e B="two words`, `B="two words`],
  ['-e A=\\', 'A=\\'],
])('%j keeps the rest that has no end', (line, rest) => {
  const { words, unfinished } = splitShellWords(line)
  expect(unfinished).toBe(rest)
  expect([...words.map(({ text }) => text), unfinished].join(' ')).toBe(line)
})

describe('a quoted word', () => {
  /** What a start script and its environment can hold: anything but NUL. */
  const values = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))

  test('is read back as it was', () => {
    fc.assert(
      fc.property(fc.array(values), (words) => {
        expect(valuesOf(words.map(quoteShellWord).join(' '))).toEqual(words)
      }),
    )
  })

  // Instances run Linux, whose shells these are.
  test.runIf(process.platform === 'linux').each(['bash', 'dash'])('means the same to %s', (shell) => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1 }), (words) => {
        const line = `printf '%s\\0' ${words.map(quoteShellWord).join(' ')}`
        const printed = execFileSync(shell, ['-c', line], { stdio: ['ignore', 'pipe', 'inherit'] }).toString()
        expect(printed.split('\0').slice(0, -1)).toEqual(words)
      }),
      { numRuns: 50 },
    )
  })
})

test('nothing but white space is lost from any line', () => {
  const lines = fc.string({ unit: fc.constantFrom('a', '=', "'", '"', '\\', ' ', '\n', '$') })
  fc.assert(
    fc.property(lines, (line) => {
      const { words, unfinished } = splitShellWords(line)
      const kept = [...words.map(({ text }) => text), unfinished].join('')
      // An escaped backslash at the end of a line does not make it go on.
      const written = (text: string): string => text.replace(/\\\n|(\\.)/g, '$1').replace(/\s/g, '')
      expect(written(kept)).toBe(written(line))
    }),
  )
})
