import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clickAddress, instancesOf, openTerminal, paste, rent, screenText, type } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { watchFor } from '../support/passing-words.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('finding, pasting, links, the clipboard and the settings of a terminal', async ({ world }) => {
  const { page } = world.app
  await rent(page)
  await openTerminal(page)
  const dialog = page.getByRole('dialog')

  await test.step('find counts, goes up and down, and minds the case when asked to', async () => {
    await type(page, 'clear; for i in 1 2 3; do echo Needle-$i; done; echo need""le\n')
    await expect.poll(() => screenText(page)).toMatch(/^needle$/m)
    await page.keyboard.press('Control+Shift+F')
    const bar = page.getByRole('search', { name: 'Find in this terminal' })
    await bar.getByLabel('Find').fill('needle')
    await expect(bar.getByRole('status')).toHaveText(/^\d of 4$/)
    await bar.getByRole('button', { name: 'Match case' }).click()
    await expect(bar.getByRole('status')).toHaveText('1 of 1')
    await bar.getByRole('button', { name: 'Match case' }).click()
    await bar.getByRole('button', { name: 'Regular expression' }).click()
    await bar.getByLabel('Find').fill('^Needle-[13]')
    await expect(bar.getByRole('status')).toHaveText('1 of 2')
    await bar.getByLabel('Find').press('Enter')
    await expect(bar.getByRole('status')).toHaveText('2 of 2')
    await bar.getByLabel('Find').fill('(')
    await expect(bar.getByRole('status')).toHaveText('Invalid regular expression')
    expect(await findings(page)).toEqual([])
    await bar.getByLabel('Find').press('Escape')
    await expect(bar).toHaveCount(0)
  })

  await test.step('a paste that runs, or hides something, is shown first', async () => {
    await type(page, 'clear\n')
    await paste(page, 'echo one-$((1 + 1))\necho two-$((1 + 1))\n')
    await expect(dialog).toContainText('Paste 2 lines')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await paste(page, 'echo three-$((1 + 1))\u001b[201~')
    await expect(dialog).toContainText('control character')
    await dialog.getByRole('button', { name: 'Paste' }).click()
    await expect(page.locator('.xterm-helper-textarea')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect.poll(() => screenText(page)).toContain('three-2[201~')
    expect(await screenText(page)).not.toContain('one-2')
  })

  await test.step('a paste comes in brackets where the program asks for them', async () => {
    await type(page, String.raw`clear; printf '\e[?2004h'; echo ready-$((40 + 2)); head -n 1 | cat -v` + '\n')
    await expect.poll(() => screenText(page)).toMatch(/^ready-42$/m)
    await paste(page, 'one word')
    await page.keyboard.press('Enter')
    await expect.poll(() => screenText(page)).toContain('^[[200~one word^[[201~')
  })

  await test.step('an emoji of several code points takes the place of one', async () => {
    const show = String.raw`clear; printf '\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80'`
    const ask = String.raw`IFS='[;' read -rsd R -p $'\e[6n' _ _ column; echo " column-$column"`
    await type(page, `${show}; ${ask}\n`)
    await expect.poll(() => screenText(page)).toContain('column-3')
  })

  await test.step('a screen reader gets the rows as text', async () => {
    const rows = page.locator('.xterm-accessibility-tree')
    await page.getByRole('button', { name: 'Screen reader mode' }).click()
    await type(page, 'clear; echo read-$((40 + 2))\n')
    await expect(rows).toContainText('read-42')
    await page.getByRole('button', { name: 'Screen reader mode' }).click()
    await expect(rows).toHaveCount(0)
  })

  const followLink = async (address: string) => {
    await type(page, `clear; echo ${address}\n`)
    await clickAddress(page, address, `Ctrl+click opens ${address}`)
  }

  await test.step('an https address goes to the system’s browser', async () => {
    const address = 'https://example.com/docs'
    await followLink(address)
    if (world.app.host !== 'chromium') return
    const opened = () => readFile(join(world.userData, 'opened-links.txt'), 'utf8').catch(() => '')
    await expect.poll(opened).toBe(`${address}\n`)
  })

  await test.step('an http address is opened only when it was seen in full', async () => {
    await followLink('http://example.com:8888/lab')
    await expect(dialog).toContainText('http://example.com:8888/lab')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('a machine may write the clipboard once it was allowed, and never reads it', async () => {
    const write = String.raw`printf '\e]52;c;%s\a' $(printf 'from afar' | base64)` + '\n'
    await type(page, write)
    await expect(dialog).toContainText('Let this instance write to your clipboard?')
    await expect(dialog).toContainText('from afar')
    expect(await findings(page)).toEqual([])
    const told = 'The instance wrote to your clipboard'
    const status = page.locator('[role="group"][aria-label="Terminal status"]')
    const timesTold = await watchFor(status, told)
    await dialog.getByRole('button', { name: 'Allow' }).click()
    await expect.poll(timesTold).toBe(1)
    await expect(page.getByText(told)).toBeHidden()
    await type(page, write)
    await expect.poll(timesTold).toBe(2)
    await expect(dialog).toHaveCount(0)
    await type(page, String.raw`clear; printf '\e]52;c;?\a'; read -rsn 1 -t 1 x; echo "answer[$x]"` + '\n')
    await expect.poll(() => screenText(page)).toMatch(/^answer\[\]$/m)
  })

  await test.step('the theme, the cursor and the lines kept of Settings are those of the open terminal', async () => {
    await type(page, 'clear; seq 1 500\n')
    // How far the screen is scrolled up from the prompt, which comes below the numbers.
    const linesAbove = () =>
      page.locator('.xterm-rows > div').evaluateAll((rows) => {
        const numbers = rows.map((row) => Number(row.textContent.trim()))
        return 502 - rows.length - (numbers.find((number) => number > 0) ?? NaN)
      })
    await expect.poll(linesAbove).toBe(0)
    const cursor = page.locator('.xterm-rows .xterm-cursor')
    await expect(cursor).toHaveCSS('box-shadow', 'none')
    const isLight = () =>
      page.locator('.xterm-rows').evaluate((rows) => {
        const canvas = document.createElement('canvas').getContext('2d')
        if (!canvas) throw new Error('Nothing can be painted')
        const brightnessOf = (colour: string): number => {
          canvas.fillStyle = colour
          canvas.fillRect(0, 0, 1, 1)
          return canvas
            .getImageData(0, 0, 1, 1)
            .data.slice(0, 3)
            .reduce((sum, part) => sum + part, 0)
        }
        const around = rows.closest('.xterm-scrollable-element') ?? rows
        const text = brightnessOf(getComputedStyle(rows).color)
        return brightnessOf(getComputedStyle(around).backgroundColor) > text
      })
    const wasLight = await isLight()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('radio', { name: wasLight ? 'Dark' : 'Light', exact: true }).click()
    await page.getByRole('radio', { name: 'Bar' }).click()
    await page.getByLabel('Scrollback lines').fill('10')
    await page.getByLabel('Scrollback lines').press('Enter')
    await page.getByRole('link', { name: /^Terminals/ }).click()
    await expect.poll(isLight).toBe(!wasLight)
    await expect(cursor).toHaveCSS('box-shadow', /inset/)
    await expect
      .poll(async () => {
        await page.keyboard.press('Shift+PageUp')
        const lines = await linesAbove()
        return lines > 0 && lines <= 10
      })
      .toBe(true)
  })

  await test.step('the font size of Settings is that of the open terminal', async () => {
    const heightOf = () =>
      page
        .locator('.xterm-rows > div')
        .first()
        .evaluate((row) => row.clientHeight)
    const before = await heightOf()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Font size (px)').fill('100')
    await page.getByLabel('Font size (px)').press('Enter')
    await expect(page.getByText('Enter a whole number from 8 to 32.')).toBeVisible()
    await page.getByLabel('Font size (px)').fill('20')
    await page.getByLabel('Font size (px)').press('Enter')
    await page.getByLabel('Font', { exact: true }).fill('No Such Font')
    await page.getByLabel('Font', { exact: true }).press('Enter')
    await expect(page.getByText('No font with this name on this computer')).toBeVisible()
    await expect(page.getByLabel('Font', { exact: true })).toHaveValue('No Such Font')
    await page.getByLabel('Font', { exact: true }).fill('Inter Variable')
    await page.getByLabel('Font', { exact: true }).press('Enter')
    await expect(page.getByText('This font isn’t monospaced')).toBeVisible()
    await page.getByLabel('Font', { exact: true }).fill('JetBrains Mono Variable')
    await page.getByLabel('Font', { exact: true }).press('Enter')
    await expect(page.getByText('Leave empty for JetBrains Mono')).toBeVisible()
    await page.getByRole('link', { name: /^Terminals/ }).click()
    await expect.poll(heightOf).toBeGreaterThan(before * 1.4)
  })
})

test('terminals are renamed, duplicated, put in order, closed and opened again', async ({ world }) => {
  const { page } = world.app
  await rent(page)
  await openTerminal(page)
  const tabs = page.getByRole('tab')
  const titles = async () => (await tabs.locator('bdi').allInnerTexts()).join(' | ')

  await tabs.dblclick()
  await page.getByLabel('Name', { exact: true }).fill('training')
  await page.getByLabel('Name', { exact: true }).press('Enter')
  await expect(tabs).toContainText('training')
  await type(page, String.raw`printf '\e]0;not this\a'; echo titled-$((40 + 2))` + '\n')
  await expect.poll(() => screenText(page)).toMatch(/^titled-42$/m)
  expect(await titles()).toBe('training')

  const place = 'my data; $(x)'
  await type(page, `mkdir '${place}'; cd '${place}'; printf '\\e]7;file://m%s\\a' "$PWD"\n`)
  const status = page.getByRole('group', { name: 'Terminal status' })
  await expect(status.getByRole('link', { name: place })).toBeVisible()
  await expect(tabs).toHaveAttribute('title', new RegExp(`\\n.*/my data`))
  await page.keyboard.press('Control+Shift+D')
  await expect(tabs).toHaveCount(2)
  await expect.poll(() => screenText(page)).toContain(place)
  await type(page, 'basename "$PWD"\n')
  await expect.poll(() => screenText(page)).toContain(`\n${place}`)
  await type(
    page,
    String.raw`printf '\e]0;logs\a'; (until [ -e ~/ring ]; do sleep 0.1; done; printf '\a') &` + '\n',
  )
  await expect.poll(titles).toBe('training | logs')

  await page.keyboard.press('Control+Shift+Tab')
  await expect(tabs.nth(1)).toBeFocused()
  await tabs.nth(1).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Open folder in an editor…' }).click()
  await expect(page.getByRole('dialog', { name: 'Open folder in an editor' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tabs.nth(1)).toBeFocused()
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await expect.poll(titles).toBe('logs | training')
  await page.keyboard.press('ArrowRight')
  await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
  const [instance] = await instancesOf(world.service)
  await writeFile(join(world.service.instances.homeOf(instance?.id ?? 0) ?? '', 'ring'), '')
  await expect(tabs.nth(0)).toContainText('bell rang')
  await tabs.nth(0).dragTo(tabs.nth(1))
  await expect.poll(titles).toBe('training | logs')

  await tabs.nth(0).click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Move left' })).toBeDisabled()
  expect(await findings(page)).toEqual([])
  await page.getByRole('menuitem', { name: /^Close/ }).click()
  await page.getByRole('button', { name: 'Close terminal' }).click()
  await expect(tabs).toHaveCount(1)
  await type(page, 'echo here\n')
  await page.keyboard.press('Control+Shift+T')
  await expect.poll(titles).toBe('training | logs')
  await expect.poll(() => screenText(page)).toContain(place)
  await expect(status).toContainText('Connected')
  await type(page, 'basename "$PWD"; echo again-$((40 + 2))\n')
  await expect.poll(() => screenText(page)).toContain(`\n${place}\nagain-42`)
})
