import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { answer } from '../../../../src-main/desktop/pages/page-protocol.ts'
import { memoryLog } from '../../../support/memory-log.ts'

// The module registers nothing by itself; without its binary `electron` cannot be loaded at all.
vi.mock('electron', () => ({ protocol: {} }))

let folder: string
const get = (path: string, method = 'GET', log = memoryLog()) =>
  answer(join(folder, 'page'), { method, url: `app://slipway${path}` }, log)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-page-'))
  await mkdir(join(folder, 'page', 'folder.js'), { recursive: true })
  await writeFile(join(folder, 'page', 'index.html'), '<title>Slipway</title>')
  await writeFile(join(folder, 'secret.html'), 'not of the page')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the page protocol', () => {
  it('answers with the file and its type', async () => {
    const response = await get('/index.html')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toBe('<title>Slipway</title>')
  })

  it('answers 404 for what is missing, and does not log it', async () => {
    const log = memoryLog()
    for (const path of ['/none.js', '/folder.js', '/%2e%2e/secret.html', '/..%2fsecret.html'])
      expect((await get(path, 'GET', log)).status).toBe(404)
    expect(log.lines).toEqual([])
  })

  it('answers only to requests that read', async () => {
    expect((await get('/index.html', 'POST')).status).toBe(405)
    const head = await get('/index.html', 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})

describe('security: headers of the page', () => {
  it('go with every answer, also with a refusal', async () => {
    for (const response of [await get('/index.html'), await get('/none.js'), await get('/', 'DELETE')]) {
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self';/,
      )
    }
  })

  it('allow neither eval, nor scripts from elsewhere, nor a network, nor frames', async () => {
    const policy = (await get('/index.html')).headers.get('content-security-policy') ?? ''
    const directives = new Map(
      policy.split('; ').map((line) => [line.split(' ')[0], line.split(' ').slice(1)]),
    )
    expect(directives.get('script-src')).toEqual(["'self'"])
    for (const none of [
      'connect-src',
      'object-src',
      'frame-src',
      'base-uri',
      'form-action',
      'frame-ancestors',
    ])
      expect([none, directives.get(none)]).toEqual([none, ["'none'"]])
    expect(policy).not.toMatch(/unsafe-eval|\*|https?:/)
  })
})
