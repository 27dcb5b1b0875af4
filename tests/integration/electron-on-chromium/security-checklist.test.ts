import { join } from 'node:path'
import { FuseState, FuseV1Options } from '@electron/fuses'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { pageHeaders } from '../../../src-main/desktop/pages/page-files.ts'
import { pageAddress } from '../../../src-main/desktop/pages/page-address.ts'
import { parseServiceAddress } from '#domain/accounts/account.ts'
import {
  contentsWithRules,
  everyPermission,
  fusesOfHook,
  get,
  packageJson,
  permissionHandlers,
  sourcesWith,
} from './checklist-questions.ts'
import { buildPreload, type FixtureApp, startFixture } from './fixture-app.ts'

// The checklist of Electron's documentation (https://www.electronjs.org/docs/latest/tutorial/security), a test for
// each item, by its own title: the rules of src-main/desktop, seen from inside of a page in a real browser where
// that is possible, and otherwise asked as Electron asks them.

const top = join(import.meta.dirname, '..', '..', '..')
const page = pageAddress({ isPackaged: true, developmentUrl: undefined })
let preload: Awaited<ReturnType<typeof buildPreload>> | undefined
let app: FixtureApp
/** What every page of the window was made with. */
let made: readonly Readonly<Record<string, unknown>>[]

beforeAll(async () => {
  preload = await buildPreload()
  app = await startFixture(preload.path)
  const lines = (await app.webPreferences()).trimEnd().split('\n')
  made = lines.map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)))
  expect(made).not.toEqual([])
})
afterAll(async () => {
  await app.close()
  await preload?.remove()
})

it('1. Only load secure content', async () => {
  const addresses = await app.page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin),
  )
  expect(new Set(addresses)).toEqual(new Set([new URL(app.page.url()).origin]))
  // Not as it is served here: the double adds the socket of its ports.
  expect(pageHeaders['content-security-policy']).not.toMatch(/https?:|wss?:|\*/)
  // What main loads itself is the service, with the account's key.
  expect(parseServiceAddress('http://rental.example')).toMatchObject({ ok: false })
})

it('2. Do not enable Node.js integration for remote content', async () => {
  for (const preferences of made)
    expect(preferences).toMatchObject({
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
    })
  const types = await app.page.evaluate(() =>
    ['require', 'process', 'module', 'exports', 'Buffer', 'global', 'ipcRenderer', 'electron'].map(
      (name) => typeof Reflect.get(window, name),
    ),
  )
  expect(new Set(types)).toEqual(new Set(['undefined']))
})

it('3. Enable Context Isolation', async () => {
  for (const preferences of made) expect(preferences).toMatchObject({ contextIsolation: true })
  // The page's own prototypes are not those of the preload script: nothing of what that does is seen or changed.
  const seen = await app.page.evaluate(async () => {
    const { parse } = JSON
    const { push } = Array.prototype
    let calls = 0
    Array.prototype.push = new Proxy(push, {
      apply: (...call) => ((calls += 1), Reflect.apply(...call)) as unknown,
    })
    JSON.parse = new Proxy(parse, { apply: (...call) => ((calls += 1), Reflect.apply(...call)) as unknown })
    try {
      const { port1, port2 } = new MessageChannel()
      const request = { kind: 'terminal', terminalId: 'isolated' }
      window.postMessage({ type: 'slipway:port', request }, location.origin, [port2])
      port1.postMessage('in')
      await new Promise((resolve) => (port1.onmessage = resolve))
      return calls
    } finally {
      JSON.parse = parse
      Array.prototype.push = push
    }
  })
  expect(seen).toBe(0)
})

it('4. Enable process sandboxing', () => {
  for (const preferences of made) expect(preferences).toMatchObject({ sandbox: true })
  expect(sourcesWith(/appendSwitch|appendArgument|noSandbox/)).toEqual([])
  // Where it is only looked for, and warned of.
  expect(sourcesWith(/no-sandbox/)).toEqual([
    'src-main/desktop/switches.ts',
    'src-renderer/workbench/banners/sandbox-text.ts',
  ])
})

it('5. Handle session permission requests from remote content', async () => {
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
  await expect(app.page.evaluate(() => navigator.clipboard.readText())).rejects.toThrow(/denied|not allowed/i)

  const ask = permissionHandlers(page)
  const granted = everyPermission.filter((name) => ask(name, `${page.origin}/index.html`, true))
  expect(granted).toEqual(['clipboard-sanitized-write'])
  for (const [url, isMainFrame] of [
    [`${page.origin}/index.html`, false],
    ['https://example.com/', true],
    ['app://slipway.example/', true],
  ] as const)
    expect(everyPermission.filter((name) => ask(name, url, isMainFrame))).toEqual([])
})

it('6. Do not disable webSecurity', () => {
  for (const preferences of made) expect(preferences).toMatchObject({ webSecurity: true })
})

it('7. Define a Content Security Policy', async () => {
  const index = await get(app.page.url(), '/index.html')
  expect(index.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
  expect(index.headers['content-security-policy']).not.toContain('unsafe-eval')
  expect(index.headers['x-content-type-options']).toBe('nosniff')
  expect(index.headers['referrer-policy']).toBe('no-referrer')
  // Tried by the page's own script: fixture/page/page.js.
  expect(await app.page.title()).toBe('Fixture ran')
  const tried = await app.page.evaluate(() => Object.fromEntries(Object.entries(document.body.dataset)))
  expect(tried).toEqual({ eval: 'refused', function: 'refused', fetch: 'refused' })
  const frame = await app.page.evaluate(
    () =>
      new Promise((resolve) => {
        const frame = document.createElement('iframe')
        document.addEventListener('securitypolicyviolation', (event) => {
          frame.remove()
          resolve(event.effectiveDirective)
        })
        frame.src = '/index.html'
        document.body.append(frame)
      }),
  )
  expect(frame).toBe('frame-src')
})

it('8. Do not enable allowRunningInsecureContent', () => {
  for (const preferences of made) expect(preferences).toMatchObject({ allowRunningInsecureContent: false })
})

it('9. Do not enable experimental features', () => {
  for (const preferences of made) expect(preferences).not.toHaveProperty('experimentalFeatures')
  expect(sourcesWith(/experimentalFeatures|enable-experimental/)).toEqual([])
})

it('10. Do not use enableBlinkFeatures', () => {
  for (const preferences of made) expect(preferences).not.toHaveProperty('enableBlinkFeatures')
  expect(sourcesWith(/enable-?blink-?features/i)).toEqual([])
})

it('11. Do not use allowpopups for WebViews', () => {
  for (const preferences of made) expect(preferences).toMatchObject({ webviewTag: false })
  expect(sourcesWith(/<webview|allowpopups/i)).toEqual([])
})

it('12. Verify WebView options before creation', () => {
  const { contents, log } = contentsWithRules(page)
  let isPrevented = false
  contents.emit('will-attach-webview', { preventDefault: () => (isPrevented = true) }, {}, {})
  expect([isPrevented, log.lines.length]).toEqual([true, 1])
})

it('13. Disable or limit navigation', async () => {
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

  for (const name of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
    let isPrevented = false
    const event = { preventDefault: () => (isPrevented = true), url: 'https://example.com/' }
    contentsWithRules(page).contents.emit(name, event)
    expect({ name, isPrevented }).toEqual({ name, isPrevented: true })
  }
})

it('14. Disable or limit creation of new windows', async () => {
  await app.page.click('#window')
  await expect.poll(() => app.openedLinks()).toBe('https://example.com/docs\n')
  await expect.poll(() => app.page.context().pages().length).toBe(1)
  expect(contentsWithRules(page).open('https://example.com/docs')).toEqual({ action: 'deny' })
})

it('15. Do not use shell.openExternal with untrusted content', async () => {
  const before = (await app.events()).split('Refused to open').length
  await app.page.click('#mail')
  await app.page.evaluate(() => void window.open('http://example.com/plain'))
  await expect.poll(async () => (await app.events()).split('Refused to open').length).toBe(before + 2)
  expect(await app.openedLinks()).toBe('https://example.com/docs\n')

  const rules = contentsWithRules(page)
  for (const url of ['file:///etc/passwd', 'smb://host/share', 'javascript:alert(1)', 'ms-msdt:/id'])
    rules.open(url)
  expect(rules.opened).toEqual([])
  // There is one way out, and it is behind SafeShell.
  expect(sourcesWith(/shell\.openExternal\(/)).toEqual(['src-main/index.ts'])
})

it('16. Use a current version of Electron', () => {
  const { devDependencies } = packageJson(join(top, 'package.json'))
  const { version } = packageJson(join(top, 'node_modules', 'electron', 'package.json'))
  // Exactly the one that was tried, and never an older one than Slipway began with.
  expect(devDependencies?.['electron']).toBe(version)
  expect(Number(version?.split('.')[0])).toBeGreaterThanOrEqual(45)
  // Tests run on the Node that this Electron carries.
  expect(process.versions.node.split('.')[0]).toBe('24')
})

it('17. Validate the sender of all IPC messages', async () => {
  // A frame of the page's own origin: it could post to the page's window, but not in its name. What frames of
  // other origins and other windows get is asked in tests/unit/desktop/pages/ports.test.ts.
  await app.page.evaluate(() => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const { port2 } = new MessageChannel()
    const request = { kind: 'terminal', terminalId: 'of-a-frame' }
    const event = new MessageEvent('message', {
      data: { type: 'slipway:port', request },
      origin: location.origin,
      source: frame.contentWindow,
      ports: [port2],
    })
    window.dispatchEvent(event)
    window.dispatchEvent(
      new MessageEvent('message', { data: event.data, origin: 'https://example.com', source: window }),
    )
    frame.remove()
  })
  const accepted = async () => (await app.events()).split('port terminal').length
  const before = await accepted()
  await app.page.evaluate(async () => {
    const { port1, port2 } = new MessageChannel()
    const request = { kind: 'terminal', terminalId: 'of-the-page' }
    window.postMessage({ type: 'slipway:port', request }, location.origin, [port2])
    port1.postMessage('in')
    await new Promise((resolve) => (port1.onmessage = resolve))
  })
  expect(await accepted()).toBe(before + 1)

  // There is no other way in than those that check.
  const waysIn = ['src-main/desktop/pages/drops.ts', 'src-main/desktop/pages/ports.ts']
  expect(sourcesWith(/ipcMain|\.ipc\.(on|handle)\(/).toSorted()).toEqual(waysIn)
  expect(sourcesWith(/= whySenderRefused\(/).toSorted()).toEqual(waysIn)
  // The double's own: the socket of the ports takes nobody without its token.
  const { host } = new URL(app.page.url())
  const socket = new WebSocket(`ws://${host}/ports`, ['ports', '00'.repeat(32)], { origin: `http://${host}` })
  const status = await new Promise((resolve) => {
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
    socket.on('open', () => resolve('open'))
    socket.on('error', () => resolve('error'))
  })
  expect(status).toBe(403)
})

it('18. Avoid usage of the file:// protocol and prefer usage of custom protocols', async () => {
  expect(page).toEqual({ origin: 'app://slipway', url: 'app://slipway/index.html' })
  expect(sourcesWith(/loadFile\(|['"`]file:\/\//)).toEqual([])
  for (const path of [
    '/../main.ts',
    '/%2e%2e/main.ts',
    '/..%2fmain.ts',
    '/..%5cmain.ts',
    '/main.ts',
    '/none.js',
  ])
    expect({ path, status: (await get(app.page.url(), path)).status }).toEqual({ path, status: 404 })
})

it('19. Check which fuses you can change', async () => {
  const { version, wire } = await fusesOfHook()
  expect(version).toBe('1')
  const isOn = (fuse: FuseV1Options): boolean => wire[fuse] === FuseState.ENABLE
  expect(Object.keys(wire)).toHaveLength(9)
  expect({
    runAsNode: isOn(FuseV1Options.RunAsNode),
    nodeOptions: isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
    inspect: isOn(FuseV1Options.EnableNodeCliInspectArguments),
    filePrivileges: isOn(FuseV1Options.GrantFileProtocolExtraPrivileges),
    otherSnapshot: isOn(FuseV1Options.LoadBrowserProcessSpecificV8Snapshot),
    cookieEncryption: isOn(FuseV1Options.EnableCookieEncryption),
    onlyAsar: isOn(FuseV1Options.OnlyLoadAppFromAsar),
    asarIntegrity: isOn(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
  }).toEqual({
    runAsNode: false,
    nodeOptions: false,
    inspect: false,
    filePrivileges: false,
    otherSnapshot: false,
    cookieEncryption: false,
    onlyAsar: true,
    asarIntegrity: true,
  })
})

it('20. Do not expose Electron APIs to untrusted web content', async () => {
  const bare = new Set(
    // What a page has without a preload script: that of the same browser's empty page.
    await app.page.evaluate(() => {
      const frame = document.createElement('iframe')
      document.body.append(frame)
      const names = frame.contentWindow === null ? [] : Object.getOwnPropertyNames(frame.contentWindow)
      frame.remove()
      return names
    }),
  )
  const names = await app.page.evaluate(() => Object.getOwnPropertyNames(window))
  // The tests above have put one of their own there.
  expect(names.filter((name) => !bare.has(name) && name !== 'isTheSamePage')).toEqual([])
  expect(sourcesWith(/contextBridge|exposeInMainWorld/)).toEqual([])
  expect(sourcesWith(/ipcRenderer/)).toEqual(['src-main/preload.ts'])
})
