import type { Page } from '@playwright/test'
import { filesBelow, secretsIn } from '../../support/leaks.ts'
import { openTerminal, rent, setUp } from '../support/actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ account: 'none', worldOptions: { service: { bootSeconds: [0, 0] } } })

test('the page has no Node, no Electron, and no way to more than its port; no key is in it, in what crosses its ports, or in any file', async ({
  world,
}) => {
  const { service, app, userData } = world
  const { page } = app
  const reachable = await page.evaluate(() =>
    ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer', '__dirname'].filter(
      (name) => name in window,
    ),
  )
  expect(reachable).toEqual([])
  const policy = (await page.reload())?.headers()['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toContain('unsafe-eval')
  await expect(page.addScriptTag({ content: 'window.injected = true' })).rejects.toThrow()
  expect(await page.evaluate(() => 'injected' in window)).toBe(false)

  await recordMessages(page)
  await setUp(page, service)
  await rent(page)
  await openTerminal(page)
  await page.getByRole('link', { name: /^Settings/ }).click()
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()

  const received = await page.evaluate(() => Reflect.get(window, 'received') as string[])
  expect(received.length).toBeGreaterThan(20)
  const inPage = [...received, await page.content(), ...(await storageOf(page))].join('\n')
  const onDisk = (await filesBelow(userData)).join('\n')
  const log = app.logs()
  for (const [where, text] of Object.entries({ inPage, onDisk, log })) {
    expect.soft(secretsIn(new Map([['API key', service.key]]), [text]), where).toEqual([])
    expect.soft(text.includes('PRIVATE KEY'), `private key in ${where}`).toBe(false)
  }
})

/** Keeps what main sends to the page from its next load on. */
async function recordMessages(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const received: string[] = []
    Reflect.set(window, 'received', received)
    const { MessageChannel } = window
    window.MessageChannel = class extends MessageChannel {
      constructor() {
        super()
        this.port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
          received.push(data instanceof Uint8Array ? new TextDecoder().decode(data) : JSON.stringify(data))
        })
      }
    }
  })
  await page.reload()
}

async function storageOf(page: Page): Promise<string[]> {
  return page.evaluate(() => [JSON.stringify(localStorage), JSON.stringify(sessionStorage)])
}
