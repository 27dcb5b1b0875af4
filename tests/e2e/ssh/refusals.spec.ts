import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { startSshAgent, type SshAgent } from '../../support/ssh-agent.ts'
import {
  chooseOffer,
  connect,
  instancesOf,
  openTerminal,
  screenText,
  type,
  untilRunning,
} from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test as base } from '../support/world-test.ts'

const known = makeEd25519KeyPair('known')
const stranger = makeEd25519KeyPair('stranger')

const test = base.extend<{ agent: SshAgent }>({
  agent: async ({ playwright: _ }, use) => {
    const agent = await startSshAgent()
    await use(agent)
    await agent.stop()
  },
  account: 'none',
  worldOptions: async ({ agent }, use) => {
    const service = { bootSeconds: [0, 0], sshKey: known.publicKey.line } as const
    // One that no system sets by itself.
    await use({ service, agentSocket: agent.socket, env: { LC_NAME: 'C.UTF-8' } })
  },
})

test('the SSH agent logs in; a shell, an encryption or a key that the machine does not take is said', async ({
  world,
  agent,
}) => {
  const { service, app } = world
  const { page } = app
  const main = page.getByRole('main')
  const status = page.getByRole('group', { name: 'Terminal status' })
  const tabs = page.getByRole('tab')
  const reconnect = page.getByRole('button', { name: 'Reconnect', exact: true })
  const picture = (name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`) })
  let id = 0

  await test.step('a machine is rented without any other key', async () => {
    await agent.add(known.privateKey)
    await connect(page, service)
    await expect(page.getByText('Running: its keys are tried too')).toBeVisible()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('link', { name: 'Find a machine' }).click()
    await chooseOffer(page)
    await page.getByLabel('Add my SSH key to the machine').click()
    await page.getByRole('button', { name: 'Rent this machine' }).click()
    await untilRunning(page)
    id = (await instancesOf(service))[0]?.id ?? 0
    await service.instances.configureSshd(id, ['MaxSessions 1'])
    await openTerminal(page)
  })

  await test.step('a second shell is refused, and the first one goes on', async () => {
    await page.keyboard.press('Control+Shift+D')
    await expect(tabs).toHaveCount(2)
    await expect(main).toContainText('Couldn’t open a shell')
    await expect(main).toContainText(
      'You’re logged in, but the host refused to open a shell: open failed. Close another',
    )
    await picture('no-shell')
    expect(await findings(page)).toEqual([])
    await tabs.first().click()
    await type(page, 'echo on-$((40 + 2))\n')
    await expect.poll(() => screenText(page)).toMatch(/^on-42$/m)
    await type(page, 'exit\n')
    await expect(main).toContainText('exit status 0')
    await tabs.nth(1).click()
    await reconnect.click()
    await expect(status).toContainText('Connected')
    await type(page, 'echo mine-$((40 + 2))\n')
    await expect.poll(() => screenText(page)).toMatch(/^mine-42$/m)
    await type(page, 'echo "locale-<$LC_NAME>"\n')
    await expect.poll(() => screenText(page)).toMatch(/^locale-<C\.UTF-8>$/m)
  })

  await test.step('without a common encryption it is said what each side offers', async () => {
    await service.instances.configureSshd(id, ['Ciphers aes256-cbc'])
    await expect(main).toContainText('No common encryption with this host', { timeout: 40_000 })
    await expect(main).toContainText(
      'for encryption it offers aes256-cbc; Slipway accepts aes128-gcm@openssh.com',
    )
    expect(await screenText(page)).toContain('mine-42')
    await picture('no-common-encryption')
  })

  await test.step('a login banner that is too long is said to be what is in the way', async () => {
    const banner = join(world.userData, 'banner')
    await writeFile(banner, 'x'.repeat(40_000))
    await service.instances.configureSshd(id, [`Banner ${banner}`])
    await reconnect.click()
    await expect(main).toContainText('The login message is too long')
    await picture('long-banner')
    expect(await findings(page)).toEqual([])
  })

  await test.step('the language stays at home where that is wanted', async () => {
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('switch', { name: 'Send your language and locale' }).click()
    await page.getByRole('link', { name: /^Terminals/ }).click()
  })

  await test.step('an agent with another key was tried, and one without keys is no way in', async () => {
    await service.instances.configureSshd(id, [])
    await agent.empty()
    await agent.add(stranger.privateKey)
    await reconnect.click()
    await expect(main).toContainText('The host accepted none of your keys')
    await expect(main).toContainText('with the SSH agent.')
    await agent.empty()
    await reconnect.click()
    await expect(main).toContainText('No key to log in with')
    await expect(main).toContainText('the SSH agent (it holds no keys)')
    await agent.add(known.privateKey)
    await reconnect.click()
    await expect(status).toContainText('Connected')
    await type(page, 'echo "locale-<$LC_NAME>"\n')
    await expect.poll(() => screenText(page)).toMatch(/^locale-<>$/m)
    await type(page, 'echo again-$((40 + 2))\n')
    await expect.poll(() => screenText(page)).toMatch(/^again-42$/m)
  })
})
