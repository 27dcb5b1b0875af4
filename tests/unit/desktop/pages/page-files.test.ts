import { relative, sep } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolvePageFile } from '../../../../src-main/desktop/pages/page-files.ts'

const root = `${sep}app${sep}out${sep}renderer`

describe('resolvePageFile', () => {
  it('serves the page and the files of its build', () => {
    expect(resolvePageFile(root, 'app://slipway/')?.path).toBe(`${root}${sep}index.html`)
    expect(resolvePageFile(root, 'app://slipway/index.html#/offers')).toEqual({
      path: `${root}${sep}index.html`,
      contentType: 'text/html; charset=utf-8',
    })
    expect(resolvePageFile(root, 'app://slipway/assets/index-Ab_c1-.js')).toEqual({
      path: [root, 'assets', 'index-Ab_c1-.js'].join(sep),
      contentType: 'text/javascript; charset=utf-8',
    })
    expect(resolvePageFile(root, 'app://slipway/assets/inter.woff2?v=1')?.contentType).toBe('font/woff2')
  })

  it.each([
    'app://slipway/offers',
    'app://slipway/assets/',
    'app://slipway/secret.json',
    'app://slipway/.env.js',
    'app://slipway/a//b.js',
    'app://slipway/%69ndex.html',
    'app://other/index.html',
    'app://slipway:1/index.html',
    'app://user@slipway.example/index.html',
    'file:///etc/passwd.html',
    'https://slipway/index.html',
    'not an address',
  ])('has nothing at %s', (url) => {
    expect(resolvePageFile(root, url)).toBeNull()
  })
})

describe('security: path traversal', () => {
  const step = fc.constantFrom(
    '..',
    '.',
    '...',
    '%2e%2e',
    '%2E.',
    '..%2f',
    '..%5c',
    '..\\',
    '%252e%252e',
    '..;',
    '%00',
    '',
    'C:',
    'etc',
    'assets',
    'index',
  )
  const ending = fc.constantFrom('', '.js', '.html', '.png', '/', '%00.js', '.js%2f..')

  it('never leaves the folder, however the path is written', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(step, fc.string()), { maxLength: 8 }), ending, (steps, end) => {
        const file = resolvePageFile(root, `app://slipway/${steps.join('/')}${end}`)
        if (file === null) return
        const below = relative(root, file.path).split(sep)
        expect(below).not.toContain('..')
        expect(below.every((name) => /^[\w-][\w.-]*$/.test(name))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
