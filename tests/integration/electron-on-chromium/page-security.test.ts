import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { buildPreload, type FixtureApp, startFixture } from './fixture-app.ts'

// The rules of src-main/desktop, seen from inside of a page in a real browser.

let preload: Awaited<ReturnType<typeof buildPreload>> | undefined
let app: FixtureApp

beforeAll(async () => {
  preload = await buildPreload()
  app = await startFixture(preload.path)
})
afterAll(async () => {
  await app.close()
  await preload?.remove()
})

describe('security: what the page can reach', () => {
  it('is nothing of Node, of Electron or of the preload script', async () => {
    const bare = await bareGlobals()
    const names = await app.page.evaluate(() => Object.getOwnPropertyNames(window))
    expect(names.filter((name) => !bare.has(name))).toEqual([])
    const types = await app.page.evaluate(() =>
      ['require', 'process', 'module', 'exports', 'Buffer', 'global', 'ipcRenderer', 'electron'].map(
        (name) => typeof Reflect.get(window, name),
      ),
    )
    expect(new Set(types)).toEqual(new Set(['undefined']))
  })

  it('is no eval, no script of its own making, and no network', async () => {
    // Tried by the page's own script: fixture/page/page.js.
    expect(await app.page.title()).toBe('Fixture ran')
    const tried = await app.page.evaluate(() => Object.fromEntries(Object.entries(document.body.dataset)))
    expect(tried).toEqual({ eval: 'refused', function: 'refused', fetch: 'refused' })
    const frame = await app.page.evaluate(
      () =>
        new Promise((resolve) => {
          document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective))
          const frame = document.createElement('iframe')
          frame.src = '/index.html'
          document.body.append(frame)
        }),
    )
    expect(frame).toBe('frame-src')
  })

  it('is served with the headers of main, and nothing outside of its folder', async () => {
    const index = await get('/index.html')
    expect(index.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
    expect(index.headers['x-content-type-options']).toBe('nosniff')
    expect(index.headers['referrer-policy']).toBe('no-referrer')
    for (const path of [
      '/../main.ts',
      '/%2e%2e/main.ts',
      '/..%2fmain.ts',
      '/..%5cmain.ts',
      '/main.ts',
      '/none.js',
    ])
      expect({ path, status: (await get(path)).status }).toEqual({ path, status: 404 })
  })

  it('grants no permission but writing text to the clipboard', async () => {
    const states = await app.page.evaluate(async () => {
      const query = async (name: string) =>
        (await navigator.permissions.query({ name } as PermissionDescriptor)).state
      return [
        await query('geolocation'),
        await query('notifications'),
        await query('camera'),
        await query('clipboard-read'),
      ]
    })
    expect(states).toEqual(['denied', 'denied', 'denied', 'denied'])
    await app.page.evaluate(() => navigator.clipboard.writeText('ssh-ed25519 AAAA'))
    await expect(app.page.evaluate(() => navigator.clipboard.readText())).rejects.toThrow(
      /denied|not allowed/i,
    )
  })
})

describe('security: where the page can go', () => {
  it('is nowhere: navigation by link and by script is refused', async () => {
    const url = app.page.url()
    const refusals = async () => (await app.events()).split('the page wanted to go').length - 1
    await app.page.evaluate(() => Reflect.set(window, 'isTheSamePage', true))
    await app.page.click('#out', { noWaitAfter: true })
    await expect.poll(refusals).toBe(1)
    // One after the other: a navigation that is overtaken by the next is not asked about.
    await app.page.evaluate(() => location.assign('https://example.com/'))
    await expect.poll(refusals).toBe(2)
    await app.page.evaluate(() => location.assign('/index.html?other'))
    await expect.poll(refusals).toBe(3)
    const now = await app.page.evaluate((): unknown => [location.href, Reflect.get(window, 'isTheSamePage')])
    expect(now).toEqual([url, true])
  })

  it('no other window, and https links go to the browser', async () => {
    await app.page.click('#window')
    await expect.poll(() => app.openedLinks()).toBe('https://example.com/docs\n')
    await app.page.click('#mail')
    await app.page.evaluate(() => void window.open('http://example.com/plain'))
    await expect.poll(async () => (await app.events()).split('Refused to open').length - 1).toBe(2)
    await expect.poll(() => app.page.context().pages().length).toBe(1)
    expect(await app.openedLinks()).toBe('https://example.com/docs\n')
  })

  it('the socket of the ports takes nobody without its token', async () => {
    const { host } = new URL(app.page.url())
    const socket = new WebSocket(`ws://${host}/ports`, ['ports', '00'.repeat(32)], {
      origin: `http://${host}`,
    })
    const status = await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
      socket.on('open', () => resolve('open'))
      socket.on('error', () => resolve('error'))
    })
    expect(status).toBe(403)
  })
})

/** What a page has without a preload script: that of the same browser's empty page. */
async function bareGlobals(): Promise<Set<string>> {
  return new Set(
    await app.page.evaluate(() => {
      const frame = document.createElement('iframe')
      document.body.append(frame)
      const names = frame.contentWindow === null ? [] : Object.getOwnPropertyNames(frame.contentWindow)
      frame.remove()
      return names
    }),
  )
}

/** With the path as it is: fetch would tidy it up. */
function get(path: string): Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]> }> {
  const { hostname, port } = new URL(app.page.url())
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => {
      response.resume()
      resolve({ status: response.statusCode, headers: response.headers })
    })
      .once('error', reject)
      .end()
  })
}
