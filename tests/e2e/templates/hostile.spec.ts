import type { Page } from '@playwright/test'
import { watchMachine } from '../support/machine-pauses.ts'
import { lastFilters, namesInSight, openTemplates, templatesTable } from '../support/templates-actions.ts'
import { expect, test } from '../support/world-test.ts'

const trap = 'https://example.com/trap'
const attack = [
  `<script>window.wasRun = true</script>`,
  `<img src="${trap}/1.png" onerror="window.wasRun = true">`,
  `![picture](${trap}/2.png)`,
  `[a link](javascript:window.wasRun=true)`,
  `<iframe src="${trap}/3"></iframe><link rel=stylesheet href="${trap}/4.css"><svg onload="window.wasRun=true">`,
  `<style>@import url(${trap}/5.css)</style><form action="${trap}/6"><button>Send</button></form>`,
  `<a href="${trap}/7" ping="${trap}/8">go</a> [go](${trap}/9 "title")`,
].join('\n\n')

test.use({ worldOptions: { service: { templates: 5000 } } })

test('a hostile readme of 5 MB does nothing, and 5,000 templates stay fluid', async ({ world }) => {
  const { service, app } = world
  const { page } = app
  service.templates.add({
    name: 'Hostile',
    image: 'x',
    readme: `${attack}\n\n${'* [[[`**word** > '.repeat(330_000)}`,
    docker_login_repo: '',
    docker_login_user: '',
    docker_login_pass: '',
  })
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await openTemplates(page)

  await test.step('5,000 rows', async () => {
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await expect(page.getByText(/^5,001 templates,/)).toBeVisible()
    expect(lastFilters(service)).toEqual({})
    expect(await templatesTable(page).locator('tr[data-row]').count()).toBeLessThan(80)
    const longestPauseMs = await watchFrames(page)
    const name = templatesTable(page).getByRole('columnheader', { name: /^Name/ })
    await name.getByRole('button').click()
    await templatesTable(page).locator('tr[data-row="0"]').focus()
    await page.keyboard.press('End')
    await expect(templatesTable(page).locator('tr[data-row="5000"]')).toBeFocused()
    await page.keyboard.press('Home')
    await page.getByLabel('Find in the table').fill('whisper 77)')
    await expect.poll(async () => (await namesInSight(page))[0]).toBe('Whisper (variant 77)')
    // Loosely: what freezes takes seconds, and the machine may be busy.
    expect(await longestPauseMs()).toBeLessThan(3000)
  })

  await test.step('the readme', async () => {
    await page.getByLabel('Find in the table').fill('Hostile')
    await expect.poll(() => namesInSight(page)).toEqual(['Hostile'])
    const longestPauseMs = await watchFrames(page)
    await page.getByRole('button', { name: /^Open template/ }).click()
    await expect(page.getByRole('heading', { name: 'Hostile', level: 1 })).toBeVisible()
    await expect(page.getByText('<script>window.wasRun = true</script>')).toBeVisible()
    await expect(page.getByText('[picture: picture]')).toBeVisible()
    const readme = page.getByRole('region', { name: 'Readme' })
    await expect(readme.locator('img, script, iframe, svg, style, form, link, [href], [src]')).toHaveCount(0)
    for (const _ of [1, 2]) await page.getByRole('button', { name: 'Show more' }).click()
    expect(await longestPauseMs()).toBeLessThan(5000)
    await expect(readme.getByRole('link')).toHaveCount(1)
    await readme.getByRole('link').click()
    await expect(page.getByRole('dialog', { name: 'Open this link?' })).toContainText(`${trap}/9`)
    await page.getByRole('button', { name: 'Cancel' }).click()
  })
  await test.step('an editor of it', async () => {
    const longestPauseMs = await watchFrames(page)
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Hostile (copy)')
    await expect(page.getByRole('button', { name: 'Edit readme' })).toBeVisible()
    await page.getByLabel('Tag').pressSequentially('-mine')
    expect(await longestPauseMs()).toBeLessThan(6000)
    await page.getByRole('button', { name: 'Edit readme' }).click()
    const readme = page.getByLabel('Readme', { exact: true })
    await expect(readme).toBeFocused()
    // A field lays out all that is in it: no more than can be done in a frame.
    expect((await readme.inputValue()).length).toBeLessThanOrEqual(20_000)
    // At its beginning.
    await page.keyboard.type('mine ')
    await page.getByRole('button', { name: 'Last part' }).click()
    await expect(page.getByRole('button', { name: 'Last part' })).toBeDisabled()
    await expect(readme).toBeFocused()
    await page.getByRole('button', { name: 'First part' }).click()
    await expect(readme).toHaveValue(/^mine <script>/)
  })
  expect(await page.evaluate((): unknown => Reflect.get(window, 'wasRun'))).toBeUndefined()
  expect(requested.filter((url) => url.includes('example.com'))).toEqual([])
})

/** Notes from now on how long the page draws nothing; answers with the longest, less what the machine is to blame for. */
async function watchFrames(page: Page): Promise<() => Promise<number>> {
  const longestOfMachine = watchMachine()
  const watched = await page.evaluateHandle(() => {
    const state = { last: performance.now(), longest: 0, isOver: false }
    const tick = (): void => {
      if (state.isOver) return
      const now = performance.now()
      state.longest = Math.max(state.longest, now - state.last)
      state.last = now
      requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
    return state
  })
  return async () => {
    const longest = await watched.evaluate((state) => {
      state.isOver = true
      return state.longest
    })
    return longest - longestOfMachine()
  }
}
