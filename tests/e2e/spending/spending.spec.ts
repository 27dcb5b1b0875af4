import type { Page } from '@playwright/test'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hourLine, hourMs } from '#domain/spending/ledger-line.ts'
import { accountFolder } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { lastMonth } from '../support/last-month.ts'
import { expect, test } from '../support/world-test.ts'

/** Five hours, or less in the first hours of a month: a gap is told in its month. */
function closedMs(until: number): number {
  const date = new Date(until)
  const monthStart = Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
  return Math.min(5 * hourMs, Math.max(hourMs / 3, until - monthStart))
}

async function openSpending(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Spending:/ }).click()
  await page.getByRole('link', { name: 'Show spending' }).click()
  await expect(page.getByRole('heading', { name: 'Spending', level: 1 })).toBeVisible()
}

const picture = (page: Page, name: string) =>
  page.screenshot({ path: test.info().outputPath(`spending-${name}.png`) })

test('with nothing rented, the page says what it is for', async ({ world }) => {
  const { page } = world.app
  await openSpending(page)
  await expect(page.getByText(/^Nothing counted in /)).toBeVisible()
  expect(await findings(page)).toEqual([])
  await picture(page, 'empty')
})

test.describe('with instances', () => {
  test.use({ worldOptions: { service: { instances: 3 } } })

  test('what was spent is shown by day and by group, with its gaps, exported, and warned of by a budget', async ({
    world,
  }) => {
    const { userData } = world
    const { page: first } = world.app
    await openSpending(first)
    // The first list begins the count; the next one comes half a minute later.
    await expect(first.getByRole('table', { name: 'Costs by instance' }).getByRole('row')).toHaveCount(4, {
      timeout: 90_000,
    })

    await world.app.close()
    const account = await accountFolder(userData)
    const { month, lines } = lastMonth()
    await mkdir(join(account, 'spending'), { recursive: true })
    await writeFile(
      join(account, 'spending', `${month}.jsonl`),
      ['{"version":2}', ...lines.map((line) => JSON.stringify(line)), 'broken', ''].join('\n'),
    )
    // As if Slipway had been closed for five hours, or since this month began.
    const bookFile = join(account, 'spending.json')
    const book = await readFile(bookFile, 'utf8')
    await writeFile(
      bookFile,
      book.replace(
        /"seenAt": (\d+)/,
        (_, seenAt) => `"seenAt": ${Number(seenAt) - closedMs(Number(seenAt))}`,
      ),
    )
    const { page } = await world.startAgain()

    await test.step('the present month tells the gap', async () => {
      await page.keyboard.press('Control+K')
      await page.getByRole('combobox', { name: 'Search or run a command' }).fill('spending')
      await expect(page.getByRole('option').first()).toHaveText(/^Spending/)
      await page.keyboard.press('Enter')
      await expect(page.getByText(/^Not counted: [<\d. ]+ h, when Slipway was closed/)).toBeVisible()
      await expect(
        page.getByText(/By the lower of the prices before and after, it cost at least /),
      ).toBeVisible()
      await expect(page.getByRole('table', { name: 'Costs by instance' }).getByRole('row')).toHaveCount(4)
      expect(await findings(page), 'present month').toEqual([])
      await picture(page, 'gap')
    })

    await test.step('a former month has its sums, its days, and its course of the credit', async () => {
      await page.getByRole('combobox', { name: 'Month' }).click()
      await page.getByRole('option').nth(1).click()
      const usd = lines.reduce((sum, line) => sum + (line.kind === 'hour' ? line.usd : 0), 0)
      await expect(page.getByRole('region', { name: 'Sum of the month' })).toContainText(`$${usd.toFixed(2)}`)
      await expect(page.getByRole('img', { name: /^Cost by day in / })).toBeVisible()
      const byInstance = page.getByRole('table', { name: 'Costs by instance' })
      await expect(byInstance.getByRole('row', { name: /^train 11 · 2 × RTX 4090/ })).toContainText(
        'at least $21',
      )
      await expect(page.getByRole('region', { name: 'Credit', exact: true })).toContainText(
        /Credit fell by \$491\.25; Slipway counted/,
      )
      expect(await findings(page), 'former month').toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      await picture(page, 'dark')
      await page.emulateMedia({ colorScheme: 'light' })
      await picture(page, 'light')
      await page.setViewportSize({ width: 960, height: 600 })
      await picture(page, 'narrow')
      await page.setViewportSize({ width: 1280, height: 800 })
    })

    await test.step('the table behind the chart is a key away', async () => {
      await page.getByRole('tab', { name: 'Instance' }).focus()
      await page.keyboard.press('ArrowRight')
      await expect(page.getByRole('table', { name: 'Costs by label' })).toContainText('No label')
      await page.keyboard.press('End')
      const byDay = page.getByRole('table', { name: 'Costs by day' })
      await expect(byDay.getByRole('row', { name: new RegExp(`^${month}-\\d\\d`) }).first()).toBeVisible()
      expect(await findings(page), 'by day').toEqual([])
      await picture(page, 'days')
    })

    await test.step('the month is exported', async () => {
      await page.getByRole('button', { name: 'Export CSV…' }).click()
      await expect(page.getByText(/^Saved as .*slipway-spending-.*\.csv\.$/)).toBeVisible()
      const csv = await readFile(join(userData, 'saved-files', `slipway-spending-${month}.csv`), 'utf8')
      const rows = csv.trim().split('\r\n')
      expect(rows.filter((row) => row.startsWith('hour,'))).toHaveLength(
        lines.filter((line) => hourLine.safeParse(line).success).length,
      )
      expect(csv).not.toContain('broken')
    })

    await test.step('a budget below what is counted warns, and is removed', async () => {
      await page.getByRole('button', { name: 'Set a budget…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Monthly budget' })
      await dialog.getByRole('button', { name: 'Set budget' }).click()
      await expect(dialog.getByText('Enter an amount above $0, such as 200.')).toBeVisible()
      expect(await findings(page), 'budget refused').toEqual([])
      await dialog.getByLabel('Budget a month ($)').fill('0.000001')
      await dialog.getByRole('button', { name: 'Set budget' }).click()
      await expect(dialog).toHaveCount(0)
      await page.getByRole('button', { name: /^Show \d more$/ }).click()
      const banner = page.getByRole('region', { name: 'This month’s budget is spent' })
      // What is counted is looked at once a minute.
      await expect(banner).toContainText('The budget stops nothing', { timeout: 150_000 })
      expect(await findings(page), 'budget spent').toEqual([])
      await picture(page, 'budget')
      await banner.getByRole('button', { name: /^Dismiss/ }).click()
      await expect(banner).toHaveCount(0)
      await page.getByRole('button', { name: 'Change budget…' }).click()
      await expect(dialog).toContainText('This month: ')
      await dialog.getByRole('button', { name: 'Remove budget' }).click()
      await expect(page.getByRole('button', { name: 'Set a budget…' })).toBeVisible()
    })
  })
})
