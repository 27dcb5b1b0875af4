import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mostDropped } from '../../../src-main/contract/port-channel.ts'
import { dragOver, draggedFiles, dropFiles } from '../../e2e/support/drop-files.ts'
import { buildPreload, type FixtureApp, startFixture } from './fixture-app.ts'

// Files that the user drops on the page: where they lie main learns, and the page doesn't.

let preload: Awaited<ReturnType<typeof buildPreload>> | undefined
let app: FixtureApp
const paths: string[] = []

beforeAll(async () => {
  preload = await buildPreload()
  app = await startFixture(preload.path)
  const folder = join(app.userData, 'desktop')
  await mkdir(join(folder, 'folder'), { recursive: true })
  for (const name of ['a b.txt', 'new\nline', 'qu\'o"te$(x)']) {
    await writeFile(join(folder, name), name)
    paths.push(join(folder, name))
  }
  paths.push(join(folder, 'folder'))
  await app.page.evaluate(() => {
    const target = document.querySelector('#target')
    target?.addEventListener('dragover', (event) => event.preventDefault())
    target?.addEventListener('drop', (event) => {
      event.preventDefault()
      const { dataTransfer } = event as DragEvent
      const seen = [...(dataTransfer?.files ?? [])].map((file) => `${file.name} ${JSON.stringify(file)}`)
      Object.assign(window, { seen, at: event.timeStamp })
    })
  })
})
afterAll(async () => {
  await app.close()
  await preload?.remove()
})

const dropsIn = async (): Promise<readonly string[]> =>
  (await app.events()).split('\n').filter((line) => /^dropped|Refused a drop/.test(line))

/** Of the last drop, as the page sees it. */
const timeStamp = (): Promise<number> => app.page.evaluate(() => Number(Reflect.get(window, 'at')))

it('main is told the paths of files and folders, and their time; the page sees it, too, and their names', async () => {
  await dropFiles(app.page, app.page.locator('#target'), paths)
  await app.sees('dropped')
  expect(await dropsIn()).toEqual([`dropped ${await timeStamp()} ${JSON.stringify(paths)}`])
  const seen = await app.page.evaluate(() => JSON.stringify(Reflect.get(window, 'seen')))
  expect(seen).toContain('a b.txt')
  expect(seen).not.toContain(app.userData)
})

it('too many are told as none, so that who asks for them does not wait', async () => {
  const before = await dropsIn()
  const [first = ''] = paths
  const tooMany = Array.from({ length: mostDropped + 1 }, () => first)
  await dropFiles(app.page, app.page.locator('#target'), tooMany)
  await expect.poll(dropsIn).toEqual([...before, `dropped ${await timeStamp()} []`])
})

it('security: what the page makes itself tells nothing', async () => {
  const before = await dropsIn()
  await app.page.evaluate(() => {
    const data = new DataTransfer()
    data.items.add(new File(['mine'], '/etc/passwd'))
    document
      .querySelector('#target')
      ?.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }))
    const request = { at: 1, paths: ['/etc/passwd'] }
    window.postMessage({ type: 'slipway:drop', request }, location.origin)
  })
  await sleep(300)
  expect(await dropsIn()).toEqual(before)
})

it('security: a drop that nothing takes shows nothing else and tells nothing, and neither do text and links', async () => {
  const before = await dropsIn()
  const address = app.page.url()
  await dropFiles(app.page, app.page.locator('#out'), paths)
  for (const mimeType of ['text/plain', 'text/uri-list'])
    for (const id of ['#out', '#target']) {
      const data = {
        ...draggedFiles([]),
        items: [{ mimeType, data: 'file:///etc/passwd' }],
      }
      await (await dragOver(app.page, app.page.locator(id), data)).drop()
    }
  await sleep(300)
  expect(await dropsIn()).toEqual(before)
  expect(app.page.url()).toBe(address)
  expect(await app.page.locator('#target').isVisible()).toBe(true)
})
