import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDeepLink } from '../../../src-main/desktop/deep-links.ts'

const parse = (link: string) => parseDeepLink(link, 'linux')

describe('to an instance', () => {
  test('an instance by its number is what a link can name', () => {
    expect(parse('slipway://instance/4711')).toEqual({ kind: 'instance', id: 4711 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (id) => {
        expect(parse(`slipway://instance/${id}`)).toEqual({ kind: 'instance', id })
      }),
    )
  })

  test.each([
    '',
    'slipway:',
    'slipway://',
    'slipway://instance',
    'slipway://instance/',
    'slipway://instance/0',
    'slipway://instance/007',
    'slipway://instance/-1',
    'slipway://instance/1.5',
    'slipway://instance/1e3',
    'slipway://instance/0x10',
    'slipway://instance/٤٢',
    'slipway://instance/４２',
    'slipway://instance/9999999999999999',
    'slipway://instance/1/',
    'slipway://instance/1/files',
    'slipway://instance/1?do=destroy',
    'slipway://instance/1#/instances/1?do=destroy',
    'slipway://instance/1%2F..',
    'slipway://instance/../settings',
    'slipway://instance//1',
    'slipway://instance/1 --no-sandbox',
    'slipway://instance/1\n',
    '\nslipway://instance/1',
    ' slipway://instance/1',
    'slipway://INSTANCE/1',
    'SLIPWAY://instance/1',
    'slipway:instance/1',
    'slipway:///instance/1',
    'slipway://user:password@instance/1',
    'slipway://instance:22/1',
    'slipway://offers/1',
    'slipway://instance.evil.example/1',
    'https://instance/1',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ])('%j is none', (link) => {
    expect(parse(link)).toBeNull()
  })

  test('whatever is around it, nothing else passes for one', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const link = `${before}slipway://instance/1${after}`
        const isOne = before === '' && /^\d*$/.test(after) && after.length < 15
        expect(parse(link) !== null).toBe(isOne)
      }),
    )
  })
})

describe('to a job’s folder', () => {
  const linkTo = (folder: string) => `slipway://job?folder=${encodeURIComponent(folder)}`

  test('a full path of this computer leads there, as its system writes it', () => {
    const onWindows = 'C:\\Users\\Me\\my project'
    expect(parse(linkTo('/home/me/my project'))).toEqual({ kind: 'job', folder: '/home/me/my project' })
    expect(parse('slipway://job?folder=/home/me/project')).toEqual({
      kind: 'job',
      folder: '/home/me/project',
    })
    expect(parseDeepLink(linkTo('/Users/me/Pröjekt ✓'), 'darwin')?.kind).toBe('job')
    expect(parseDeepLink(linkTo(onWindows), 'win32')).toEqual({ kind: 'job', folder: onWindows })
    expect(parse(linkTo(onWindows))).toBeNull()
    expect(parseDeepLink(linkTo('/home/me'), 'win32')).toBeNull()
  })

  test('whatever folder there is, its link leads there or nowhere', () => {
    const name = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 20 })
      .filter((text) => !text.includes('/'))
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => {
        const folder = `/${names.join('/')}`
        const link = parse(linkTo(folder))
        if (link !== null) expect(link).toEqual({ kind: 'job', folder })
        else
          expect(names.some((one) => /\p{C}|[\u2028\u2029]/u.test(one) || one === '.' || one === '..')).toBe(
            true,
          )
      }),
    )
  })

  test.each([
    'slipway://job',
    'slipway://job?folder=',
    'slipway://job/?folder=/home/me',
    'slipway://job/home/me',
    'slipway://JOB?folder=/home/me',
    'slipway://job?folder=/home/me&start=1',
    'slipway://job?folder=/home/me#start',
    'slipway://job?folder=/home/me?start',
    'slipway://job?start=1&folder=/home/me',
    'slipway://job?folder=/home/me ',
    'slipway://job?folder=/home/me\n',
    'slipway://job?folder=/home/%',
    'slipway://job?folder=/home/%C3',
    'slipway://job?folder=/home/%ED%A0%80',
    'slipway://job?folder=/home/%00',
    'slipway://job?folder=/home/%0Ame',
    'slipway://job?folder=/home/%E2%80%AEem',
    'slipway://job?folder=/home/me/../../etc',
    'slipway://job?folder=/home/./me',
    'slipway://job?folder=//server/share',
    'slipway://job?folder=home/me',
    'slipway://job?folder=~/project',
    'slipway://job?folder=.',
    'slipway://job?folder=file:///home/me',
    'slipway://job@evil.example?folder=/home/me',
    `slipway://job?folder=/${'a'.repeat(4096)}`,
    `slipway://job?folder=/${'%61'.repeat(20_000)}`,
  ])('%j is none', (link) => {
    expect(parse(link)).toBeNull()
    expect(parseDeepLink(link, 'darwin')).toBeNull()
  })

  test.each([
    '\\\\server\\share',
    '//server/share',
    '\\/server/share',
    '\\\\?\\UNC\\server\\share',
    '\\\\.\\pipe\\x',
    '\\\\?\\C:\\project',
    '\\project',
    'C:project',
    'C:/project',
    'C:\\project\\..\\..\\x',
    'C:\\..\\\\server\\share',
    '1:\\project',
    'http://server/share',
  ])('on Windows %j is none: a stranger’s server isn’t told who is logged in', (folder) => {
    expect(parseDeepLink(linkTo(folder), 'win32')).toBeNull()
  })

  test('a long link is read in no time', () => {
    const began = performance.now()
    expect(parse(`slipway://job?folder=${'%2F'.repeat(1_000_000)}x`)).toBeNull()
    expect(performance.now() - began).toBeLessThan(15_000)
  })
})
