import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { buildPreload, type FixtureApp, startFixture } from './fixture-app.ts'

let preload: Awaited<ReturnType<typeof buildPreload>> | undefined
let app: FixtureApp

beforeAll(async () => {
  preload = await buildPreload()
  app = await startFixture(preload.path)
  await app.page.evaluate(() => {
    document.body.innerHTML =
      '<input value="ssh-ed25519 AAAA"><input type="password" value="secret"><p>198.51.100.7</p><hr>'
  })
})
afterAll(async () => {
  await app.close()
  await preload?.remove()
})

const menu = z.object({ items: z.array(z.object({ label: z.string(), enabled: z.boolean() })) })

/** What can be chosen after a right click; the menu of the click before has to have been another one. */
async function choices(): Promise<string[]> {
  const text = await readFile(join(app.userData, 'context-menu.json'), 'utf8').catch(() => '{"items":[]}')
  const { items } = menu.parse(JSON.parse(text))
  return items.flatMap(({ label, enabled }) => (enabled ? label : []))
}
const choose = (label: string) => writeFile(join(app.userData, 'click-context-menu'), label)

it('what a text field holds can be cut and put back by the mouse alone', async () => {
  const field = app.page.locator('input').first()
  await field.click({ button: 'right' })
  await expect.poll(choices).toEqual(['Undo', 'Paste', 'Select all'])
  await choose('Select all')
  await expect
    .poll(() => field.evaluate((input: HTMLInputElement) => input.selectionEnd))
    .toBe('ssh-ed25519 AAAA'.length)
  await field.click({ button: 'right' })
  await expect.poll(choices).toEqual(['Undo', 'Cut', 'Copy', 'Paste', 'Select all'])
  await choose('Cut')
  await expect.poll(() => field.inputValue()).toBe('')
  await choose('Paste')
  await expect.poll(() => field.inputValue()).toBe('ssh-ed25519 AAAA')
})

it('a password field gives nothing away', async () => {
  const field = app.page.locator('input[type=password]')
  await field.selectText()
  await field.click({ button: 'right' })
  await expect.poll(choices).toEqual(['Undo', 'Paste', 'Select all'])
})

it('selected text can be copied', async () => {
  const text = app.page.locator('p')
  await text.selectText()
  await text.click({ button: 'right' })
  await expect.poll(choices).toEqual(['Copy'])
})
