import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { openTerminal, rent, screenText, type } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { rentMachine } from '../support/files-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

/** On the page of terminals: saves a command on “Run a command”, and comes back. */
async function save(page: Page, command: string, { atStart = false } = {}): Promise<void> {
  await page.evaluate(() => void (location.hash = '#/run'))
  await page.getByLabel('Command', { exact: true }).fill(command)
  await page.getByRole('button', { name: 'Save as snippet' }).click()
  const mark = page.getByRole('button', { name: /^Run when a terminal connects/ }).first()
  await expect(mark).toHaveAccessibleName(`Run when a terminal connects: ${command}`)
  if (atStart) {
    await mark.click()
    await expect(mark).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByText('Typed into each new terminal')).toBeVisible()
    expect(await findings(page), 'a marked command').toEqual([])
    await page.screenshot({ path: test.info().outputPath('marked.png') })
  }
}

const picker = (page: Page) => page.getByRole('dialog', { name: 'Insert a saved command' })

test('a saved command is inserted, or run, as a paste is; what runs lines at once is asked about', async ({
  world,
}) => {
  const { page } = world.app
  await rent(page)
  await openTerminal(page)
  await expect(page.locator('.xterm-helper-textarea')).toBeFocused()
  await page.keyboard.press('Control+Shift+S')
  await expect(picker(page).getByText('No saved commands yet')).toBeVisible()
  expect(await findings(page), 'none saved').toEqual([])
  await page.screenshot({ path: test.info().outputPath('none.png') })
  await page.keyboard.type(`echo "it's ünï-$((40 + 2))"`)
  await picker(page).getByRole('button', { name: 'Save as a command' }).click()
  await expect(picker(page).getByRole('option')).toHaveCount(1)
  await expect(picker(page).getByRole('combobox')).toBeFocused()

  await test.step('Enter inserts and doesn’t run', async () => {
    await page.keyboard.press('Enter')
    await expect(picker(page)).toHaveCount(0)
    await expect(page.locator('.xterm-helper-textarea')).toBeFocused()
    await expect.poll(() => screenText(page)).toContain(`echo "it's ünï-$((40 + 2))"`)
    expect(await screenText(page)).not.toContain('ünï-42')
    await page.keyboard.press('Enter')
    await expect.poll(() => screenText(page)).toMatch(/^it's ünï-42$/m)
  })

  await save(page, 'echo one-$((40 + 2))\necho two-$((40 + 2))\n')
  await page.getByRole('link', { name: /^Terminals/ }).click()
  await test.step('several lines run together where a shell takes them as text', async () => {
    await page.getByRole('tab').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Insert saved command' }).click()
    await expect(picker(page).getByRole('option')).toHaveCount(2)
    await page.keyboard.type('TWO')
    await expect(picker(page).getByText('1 of 2 saved commands')).toBeVisible()
    await expect(picker(page).getByText('2 lines')).toBeVisible()
    expect(await findings(page), 'filtered').toEqual([])
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => screenText(page)).toMatch(/^one-42\ntwo-42$/m)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('and are asked about where it would run each as it comes', async () => {
    await type(page, 'clear; exec sh\n')
    await expect.poll(() => screenText(page)).toMatch(/^[#$]\s*$/m)
    await page.keyboard.press('Control+Shift+S')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await picker(page).getByRole('button', { name: 'Insert and run' }).click()
    const question = page.getByRole('dialog', { name: 'Paste 2 lines' })
    await expect(question).toContainText('Each line runs as soon as it’s pasted.')
    await question.getByRole('button', { name: 'Paste and run' }).click()
    await expect.poll(() => screenText(page)).toMatch(/one-42$/m)
    await expect.poll(() => screenText(page)).toMatch(/two-42$/m)
  })

  await test.step('with broadcast on it goes to all that share it', async () => {
    await page.keyboard.press('Control+Shift+B')
    await page.keyboard.press('Control+Shift+E')
    const screens = page.getByRole('region', { name: 'Terminal' })
    await expect(screens).toHaveCount(2)
    await expect.poll(() => screens.nth(1).innerText()).toContain('instance-')
    await page.keyboard.press('Control+Shift+B')
    await page.keyboard.type('clear\n')
    await page.getByRole('button', { name: 'Go to' }).click()
    await page.getByRole('combobox').fill('insert a saved')
    await page.keyboard.press('Enter')
    await expect(picker(page).getByText('Goes to 2 terminals.')).toBeVisible()
    await page.keyboard.type('ünï')
    await expect(picker(page).getByRole('option')).toHaveCount(1)
    await page.keyboard.press('Control+Enter')
    for (const index of [0, 1])
      await expect
        .poll(async () => (await screens.nth(index).locator('.xterm-rows > div').allInnerTexts()).join('\n'))
        .toMatch(/^it's ünï-42$/m)
  })
})

test('a marked command runs once in each new shell, and not in a session that is reattached', async ({
  world,
}) => {
  const { page } = world.app
  const { id, sshPort, home } = await rentMachine(page, world.service)
  const link = await startTcpProxy({ host: '127.0.0.1', port: sshPort })
  world.service.instances.nameSshPort(id, link.address.port)
  await save(page, `printf '%s\\n' "it's ünï" \\\n  >> ~/starts; echo ran`, { atStart: true })
  await page
    .getByRole('link', { name: /^Instances/ })
    .first()
    .click()
  await openTerminal(page)
  const starts = async (): Promise<string> => readFile(join(home, 'starts'), 'utf8').catch(() => '')
  const lines = (many: number): string => "it's ünï\n".repeat(many)
  const status = page.getByRole('group', { name: 'Terminal status' })
  await expect.poll(starts).toBe(lines(1))
  await expect.poll(() => screenText(page)).toMatch(/^ran$/m)

  await test.step('a lost plain shell is followed by a new one', async () => {
    link.cut()
    await expect.poll(starts, { timeout: 30_000 }).toBe(lines(2))
  })

  await test.step('a session that is made gets it, one that is come back to does not', async () => {
    await page.getByRole('tab').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'tmux or screen…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'tmux' }).click()
    await dialog.getByLabel('Session').fill('train')
    expect(await findings(page), 'shell or session').toEqual([])
    await page.screenshot({ path: test.info().outputPath('session.png') })
    await dialog.getByRole('button', { name: 'Connect' }).click()
    await expect.poll(starts).toBe(lines(3))
    await type(page, 'kept=$((40 + 2)); echo "it is $kept"\n')
    await expect.poll(() => screenText(page)).toMatch(/^it is 42\s*$/m)
    link.fallSilent()
    link.cut()
    await expect(page.getByText('Processes in the session keep running')).toBeVisible()
    link.goOn()
    await expect(status).toContainText('Connected')
    await type(page, 'clear; echo "still $kept"\n')
    await expect.poll(() => screenText(page)).toMatch(/^still 42\s*$/m)
    expect(await starts()).toBe(lines(3))
  })

  await test.step('who types first is told that it didn’t run, and may run it', async () => {
    // Before it has a prompt.
    link.fallSilent()
    await page.getByRole('button', { name: 'New shell on this instance' }).click()
    await page.keyboard.type('echo first-$((40 + 2))\n')
    link.goOn()
    await expect(page.getByText('you typed first')).toBeVisible()
    await expect.poll(() => screenText(page)).toMatch(/^first-42$/m)
    expect(await findings(page), 'left out').toEqual([])
    await page.screenshot({ path: test.info().outputPath('left-out.png') })
    expect(await starts()).toBe(lines(3))
    await page.getByRole('button', { name: 'Run in this terminal' }).click()
    await expect.poll(starts).toBe(lines(4))
  })

  await test.step('a terminal may have none, and so has its duplicate', async () => {
    await page.getByRole('tab', { selected: true }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'tmux or screen…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Plain shell' }).click()
    await dialog.getByRole('combobox', { name: 'Saved command to run at start' }).click()
    await page.getByRole('option', { name: 'No command', exact: true }).click()
    await dialog.getByRole('button', { name: 'Connect' }).click()
    await expect.poll(() => screenText(page)).toMatch(/new shell[^]*instance-/)
    await type(page, 'echo plain-$((40 + 2))\n')
    await expect.poll(() => screenText(page)).toMatch(/^plain-42$/m)
    expect(await starts()).toBe(lines(4))

    await page.getByRole('button', { name: 'New shell on this instance' }).click()
    await page.keyboard.type('echo other-$((40 + 2))\n')
    await expect.poll(() => screenText(page)).toMatch(/^other-42$/m)
    await expect(page.getByText('you typed first')).toHaveCount(0)
    expect(await starts()).toBe(lines(4))
  })
  link.close()
})
