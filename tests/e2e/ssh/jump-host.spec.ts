import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { findOpenSsh } from '../../simulator/machines/openssh.ts'
import { createMachine, type Machine } from '../../simulator/machines/ssh-server.ts'
import { startSshAgent } from '../../support/ssh-agent.ts'
import { instanceRow, rent, screenText, type } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { expect, test as base } from '../support/world-test.ts'
import { startWorld, type World } from '../support/world.ts'

const passphrase = 'open sesame'

interface Place {
  readonly world: World
  /** A jump host that lets in a key file with a passphrase. */
  readonly hop: Machine
  /** Of the key that the agent of this computer holds. */
  readonly fingerprint: string
}

const test = base.extend<{ place: Place }>({
  place: async ({ playwright: _ }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-jump-'))
    const key = join(folder, 'hop')
    const run = promisify(execFile)
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', key])
    const { privateKey, publicKey } = makeEd25519KeyPair('agent')
    const agent = await startSshAgent()
    await agent.add(privateKey)
    const hop = await createMachine(
      {
        instanceId: 99,
        folder: join(folder, 'machine'),
        authorizedKeys: await readFile(`${key}.pub`, 'utf8'),
        environment: {},
        startScript: '',
      },
      await findOpenSsh(),
    )
    await hop.up()
    const world = await startWorld({
      account: 'connected',
      service: { bootSeconds: [0, 0] },
      agentSocket: agent.socket,
    })
    const ssh = join(world.userData, 'home', '.ssh')
    await mkdir(ssh, { recursive: true, mode: 0o700 })
    await writeFile(
      join(ssh, 'config'),
      `Host bastion
  HostName 127.0.0.1
  Port ${hop.port()}
  User ${userInfo().username}
  IdentityFile ${key}
  IdentitiesOnly yes
Host slipway-*
  ForwardAgent yes
`,
    )
    await use({ world, hop, fingerprint: publicKey.fingerprint })
    await world.end()
    await hop.remove()
    await agent.stop()
    await rm(folder, { recursive: true })
  },
})

test('a jump host is asked about by itself, named where it fails, and can be passed by', async ({
  place,
}) => {
  const { world, hop, fingerprint } = place
  const { page } = world.app
  const picture = (name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`) })

  await test.step('it is chosen for all instances', async () => {
    await rent(page)
    await page.getByRole('link', { name: 'Settings' }).click()
    const field = page.getByLabel('Jump host', { exact: true })
    await field.fill('bastion:')
    await page.getByRole('button', { name: 'Save jump host' }).click()
    await expect(page.getByText('Enter user@host:port')).toBeVisible()
    await field.fill('bastion')
    await page.getByRole('button', { name: 'Save jump host' }).click()
    await expect(page.getByText('New connections go through bastion.')).toBeVisible()
    await field.scrollIntoViewIfNeeded()
    await picture('settings')
    expect(await findings(page)).toEqual([])
  })

  await test.step('its key and its passphrase are asked for, and then the instance’s key', async () => {
    await page.getByRole('link', { name: /^Instances/ }).click()
    await instanceRow(page).getByRole('button', { name: 'Open terminal' }).click()
    const unknown = page.getByRole('dialog', { name: 'Unknown jump host' })
    await expect(unknown).toContainText(`127.0.0.1:${hop.port()}`)
    await picture('unknown-jump-host')
    await unknown.getByRole('button', { name: 'Trust this host' }).click()
    const locked = page.getByRole('dialog', { name: 'Passphrase needed' })
    await expect(locked).toContainText(`the jump host 127.0.0.1:${hop.port()}`)
    await picture('passphrase')
    await locked.getByLabel('Passphrase').fill(passphrase)
    await locked.getByRole('button', { name: 'Unlock' }).click()
    await page
      .getByRole('dialog', { name: 'Unknown host' })
      .getByRole('button', { name: 'Trust this host' })
      .click()
    await expect.poll(() => screenText(page)).toContain('instance-')
    await type(page, 'ssh-add -l; echo "no" "agent"\n')
    await expect.poll(() => screenText(page)).toContain('no agent')
    expect(await screenText(page)).not.toContain(fingerprint)
  })

  await test.step('it is named when its key has changed, and when it is gone', async () => {
    await hop.replaceHostKey()
    const changed = page.getByRole('dialog', { name: 'Jump host: host key changed' })
    await expect(changed).toContainText('The jump host was set up again')
    await picture('changed')
    await changed.getByRole('button', { name: 'Don’t connect' }).click()
    await hop.down()
    await page
      .getByRole('button', { name: /^(Reconnect|Connect)/ })
      .first()
      .click()
    await expect(page.getByText(/^Jump host: the host refused the connection/).first()).toBeVisible()
    await picture('refused')
  })

  await test.step('the instance is reached directly, and may use the agent, once that is chosen for it', async () => {
    await page.getByRole('link', { name: /^Instances/ }).click()
    await instanceRow(page)
      .getByText(/^running$/i)
      .click()
    await expect(page.getByText('Route: through bastion (from Settings)')).toBeVisible()
    await expect(page.getByText(/^ssh -J bastion -p \d+ root@/).first()).toBeVisible()
    await page.getByRole('button', { name: 'Change address, route, and agent forwarding' }).click()
    await page.getByRole('radio', { name: 'Direct', exact: true }).click()
    await expect(page.getByText('Route: direct (chosen here)')).toBeVisible()
    await expect(page.getByText(/^ssh -o ProxyJump=none -p \d+ root@/).first()).toBeVisible()
    await page.getByRole('radio', { name: 'Through other hosts' }).click()
    await page.getByRole('switch', { name: 'Agent forwarding' }).click()
    const warning = page.getByRole('dialog', { name: /use your SSH agent/ })
    await expect(warning).toContainText('anyone with root access to the instance')
    await picture('agent')
    expect(await findings(page)).toEqual([])
    await warning.getByRole('button', { name: 'Turn on for this instance' }).click()
    await expect(page.getByText('Route: direct (chosen here), with agent forwarding')).toBeVisible()
    await page.getByRole('switch', { name: 'Agent forwarding' }).scrollIntoViewIfNeeded()
    await picture('way')
    await page.setViewportSize({ width: 960, height: 700 })
    await page.getByRole('switch', { name: 'Agent forwarding' }).scrollIntoViewIfNeeded()
    await picture('way-narrow')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('link', { name: /^Instances/ }).click()
    await instanceRow(page).getByRole('button', { name: 'Open terminal' }).click()
    // The former shell's screen may show a prompt, too.
    const status = page.getByRole('group', { name: 'Terminal status' })
    await expect(status).toContainText('Connected')
    await expect.poll(() => screenText(page)).toContain('instance-')
    await type(page, 'ssh-add -l\n')
    await expect.poll(() => screenText(page)).toContain(fingerprint.slice(0, 30))
  })
})
