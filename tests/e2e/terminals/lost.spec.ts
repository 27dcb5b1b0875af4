import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { openTerminal, screenText, type } from '../support/actions.ts'
import { rentMachine } from '../support/files-actions.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

test('a lost terminal says where typing goes: to no shell unasked, to the new one once it is asked for', async ({
  world,
}) => {
  const { page } = world.app
  const { instances } = world.service
  const { id, sshPort, home } = await rentMachine(page, world.service)
  const link = await startTcpProxy({ host: '127.0.0.1', port: sshPort })
  instances.nameSshPort(id, link.address.port)
  await openTerminal(page)
  const status = page.getByRole('group', { name: 'Terminal status' })
  const nowhere = page.getByText('Input is ignored until then.')
  /** The try that is asked for lasts, as the machine is there and its answer is held up. */
  async function loseAndAskAgain(): Promise<void> {
    await instances.setSshd(id, 'down')
    // There is time to press it before it is tried by itself.
    await expect(status).toContainText(/in ([5-9]|\d\d) s/)
    link.fallSilent()
    await instances.setSshd(id, 'up')
    await page.getByRole('button', { name: 'Reconnect now' }).click()
    await expect(page.getByText('Your input is sent then.')).toBeVisible()
  }

  await test.step('what is typed while it is connected again by itself reaches no shell', async () => {
    await instances.setSshd(id, 'down')
    await expect(nowhere).toBeVisible()
    await expect(page.getByText('opens a new shell below the current output')).toBeVisible()
    await type(page, 'echo blind >> ~/typed\n')
    await instances.setSshd(id, 'up')
    await expect(status).toContainText('Connected')
    await type(page, 'echo seen-$((40 + 2)) >> ~/typed; echo told-$((40 + 2))\n')
    await expect.poll(() => screenText(page)).toMatch(/^told-42$/m)
    expect(await readFile(join(home, 'typed'), 'utf8')).toBe('seen-42\n')
  })

  await test.step('what is typed after “Reconnect now” waits for the new shell, which gets it once', async () => {
    await loseAndAskAgain()
    await expect(nowhere).toBeHidden()
    await page.keyboard.type('echo ahead-$((40 + 2)) >> ~/typed; ')
    await page.keyboard.type('echo back-$((40 + 2))\n')
    await page.screenshot({ path: test.info().outputPath('asked.png') })
    link.goOn()
    await expect.poll(() => screenText(page)).toMatch(/^back-42$/m)
    await expect(status).toContainText('Connected')
    expect(await readFile(join(home, 'typed'), 'utf8')).toBe('seen-42\nahead-42\n')
  })

  await test.step('what is typed for a try that fails is gone, and the strip says so again', async () => {
    await loseAndAskAgain()
    await page.keyboard.type('touch ~/late\n')
    await instances.setSshd(id, 'down')
    link.goOn()
    await expect(nowhere).toBeVisible()
    await instances.setSshd(id, 'up')
    // After so many tries Slipway itself would take half a minute.
    await page.getByRole('button', { name: 'Reconnect now' }).click()
    await expect(status).toContainText('Connected')
    await type(page, 'echo after-$((40 + 2))\n')
    await expect.poll(() => screenText(page)).toMatch(/^after-42$/m)
    expect(await readdir(home)).not.toContain('late')
  })
  link.close()
})
