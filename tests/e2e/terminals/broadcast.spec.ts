import { openTerminal, rent } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('what is typed and pasted into one terminal goes to those that were chosen, until that is stopped', async ({
  world,
}) => {
  const { page } = world.app
  await rent(page)
  await openTerminal(page)
  const screens = page.getByRole('region', { name: 'Terminal' })
  const textOf = async (index: number) =>
    (await screens.nth(index).locator('.xterm-rows > div').allInnerTexts()).join('\n')
  const keyboardIsIn = (index: number) =>
    expect(screens.nth(index).locator('.xterm-helper-textarea')).toBeFocused()
  await keyboardIsIn(0)
  await page.keyboard.press('Control+Shift+B')
  await expect(page.getByText('No other terminal shares this broadcast')).toBeVisible()
  for (const keys of ['Control+Shift+E', 'Control+Shift+O']) {
    const count = await screens.count()
    await page.keyboard.press(keys)
    await expect(screens).toHaveCount(count + 1)
    await expect.poll(() => textOf(count)).toContain('instance-')
    await keyboardIsIn(count)
  }
  await page.keyboard.press('Control+Shift+B')
  await expect(page.getByText('Your input goes to 2 terminals')).toHaveCount(2)
  await expect(page.getByRole('tab', { name: 'in broadcast' })).toHaveCount(2)

  await page.keyboard.type('echo both-$((40 + 2))\n')
  for (const index of [0, 2]) await expect.poll(() => textOf(index)).toMatch(/^both-42$/m)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  for (const index of [0, 2]) await expect.poll(() => textOf(index)).toMatch(/both-42\n[^]*both-42/)

  await test.step('what the screen answers goes to the shell that asked alone', async () => {
    await page.keyboard.type(
      String.raw`clear; printf '\e[6n'; read -rsd R -t 10 at; echo "at$at" | cat -v` + '\n',
    )
    for (const index of [0, 2]) await expect.poll(() => textOf(index)).toMatch(/^at\^\[\[\d+;\d+$/m)
    await page.keyboard.type('echo quiet-$((40 + 2))\n')
    for (const index of [0, 2]) {
      await expect.poll(() => textOf(index)).toMatch(/^quiet-42$/m)
      expect(await textOf(index)).not.toMatch(/\d+;\d+R/)
    }
  })

  await test.step('a paste says where it goes', async () => {
    await screens
      .nth(2)
      .locator('.xterm-helper-textarea')
      .evaluate((field) => {
        const data = new DataTransfer()
        data.setData('text/plain', 'echo pasted-$((40 + 2))\n')
        field.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        )
      })
    await expect(page.getByRole('dialog')).toContainText('Pastes into 2 terminals')
    expect(await findings(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Paste' }).click()
    await expect(page.locator('.xterm-helper-textarea:focus')).toHaveCount(1)
    await page.keyboard.press('Enter')
    for (const index of [0, 2]) await expect.poll(() => textOf(index)).toMatch(/^pasted-42$/m)
  })
  expect(await textOf(1)).not.toContain('42')
  expect(await findings(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('broadcast.png') })

  await page.getByRole('button', { name: 'Stop broadcast' }).first().click()
  await screens.nth(2).click()
  await page.keyboard.type('echo alone-$((40 + 2))\n')
  await expect.poll(() => textOf(2)).toMatch(/^alone-42$/m)
  expect(await textOf(0)).not.toContain('alone')
})
