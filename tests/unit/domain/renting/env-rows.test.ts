import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readEnvFlags } from '#domain/renting/env-flags.ts'
import { type EnvRowContent, problemsOf, readRow, readTemplateRow, rowOf } from '#domain/renting/env-rows.ts'

const variable = (name: string, value: string): EnvRowContent => ({ kind: 'variable', name, value })
const ports = (host: string, container: string): EnvRowContent => ({
  kind: 'ports',
  host,
  container,
  protocol: null,
})
const wrong = (rows: readonly EnvRowContent[]): boolean[] =>
  problemsOf(rows.map(readRow)).map((problem) => problem !== null)

test('a row that nothing is typed into is no row', () => {
  expect([variable('', ''), ports('', ' ')].map(readRow)).toEqual([null, null])
})

test('spaces around a name or a port are slips, those of a value are meant', () => {
  expect(readRow(variable(' A ', ' x '))?.item).toEqual({ kind: 'variable', name: 'A', value: ' x ' })
  expect(readRow(ports(' 8080', '80 '))?.item).toMatchObject({ host: 8080, container: 80, count: 1 })
})

test('what is wrong is marked where it stands', () => {
  expect(
    wrong([variable('A', '1'), variable('', 'x'), ports('80', ''), ports('1-3', '1-2'), ports('1-3', '7-9')]),
  ).toEqual([false, true, true, true, false])
})

test('a name that comes again is marked where it comes again', () => {
  expect(wrong([variable('A', '1'), variable('B', '1'), variable('A', '2')])).toEqual([false, false, true])
})

describe('a port of the machine leads to one place', () => {
  const udp: EnvRowContent = { kind: 'ports', host: '8080', container: '81', protocol: 'udp' }
  test.each([
    ['another port of the container', [ports('8080', '80'), ports('8080', '81')], [false, true]],
    ['within ranges', [ports('8000-8100', '1-101'), ports('8050', '80')], [false, true]],
    ['the same again', [ports('8000-8100', '8000-8100'), ports('8050', '8050')], [false, false]],
    ['UDP has ports of its own', [ports('8080', '80'), udp], [false, false]],
    ['neighbours', [ports('8000-8009', '1-10'), ports('8010', '80')], [false, false]],
  ] as const)('%s', (_, rows, expected) => {
    expect(wrong(rows)).toEqual(expected)
  })

  test('also where the template says so, whose ports are kept', () => {
    const template = readEnvFlags('-p 8080:80')
    const problemOf = (row: EnvRowContent) => problemsOf([readRow(row)], template)
    expect(problemOf(ports('8080', '81'))).toEqual([expect.stringContaining('template')])
    expect(problemOf(ports('8080', '80'))).toEqual([null])
    expect(problemOf(ports('8081', '80'))).toEqual([null])
  })
})

test('flags become rows that mean the same, and say what cannot be sent', () => {
  const flags = fc.string({
    unit: fc.constantFrom(
      '-e A=1 ',
      '-p 80-82:90-92/udp ',
      '-p 1:1/tcp ',
      `-e 'B C'=x `,
      '-v /a:/b ',
      '-p 80 ',
    ),
  })
  fc.assert(
    fc.property(flags, (line) => {
      for (const item of readEnvFlags(line)) {
        const reading = readRow(rowOf(item))
        if (item.kind === 'other') expect(reading?.problem).toContain(item.why)
        else expect(reading?.item).toEqual(item)
      }
    }),
  )
})

test('a template takes other flags as they are written, and nothing that is only half said', () => {
  const kept = ['--shm-size 1g', '--gpus=all', `-v "/a b:/c" d`, `'--label' x`]
  for (const text of kept) {
    const row: EnvRowContent = { kind: 'other', text, why: 'from an older draft' }
    expect(readTemplateRow(row)).toEqual({ item: row, problem: null })
    expect(readRow(row)?.item).toBeNull()
  }
  for (const text of ['-e NAME', '-p 80', '--env', 'A=1', '--label "no end'])
    expect(readTemplateRow({ kind: 'other', text, why: '' })?.item).toBeNull()
  expect(readTemplateRow(variable('', 'x'))?.item).toBeNull()
})
