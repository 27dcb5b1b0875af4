import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import type { AuthContext } from 'ssh2'
import { hasSigned, startLoginServer, type LoginServer } from '../../support/login-server.ts'
import { instanceRow, rent, screenText, untilRunning } from '../support/actions.ts'
import { findings } from '../support/axe.ts'
import { keychainEntries } from '../support/keychain-entries.ts'
import { expect, test as base } from '../support/world-test.ts'
import { startWorld, type World } from '../support/world.ts'

const password = 'open sesame, please'
/** The key of RFC 6238's test vectors. */
const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

interface Place {
  readonly world: World
  readonly host: LoginServer
  /** From now on the host wants a code after the key, and no password. */
  readonly wantCode: () => void
  readonly codes: readonly string[]
}

const test = base.extend<{ place: Place }>({
  place: async ({ playwright: _ }, use) => {
    let wantsCode = false
    const codes: string[] = []
    function byPassword(context: AuthContext): void {
      if (context.method === 'password' && context.password === password) context.accept()
      else context.reject(['password'])
    }
    function byKeyAndCode(context: AuthContext): void {
      if (context.method === 'keyboard-interactive')
        context.prompt(
          [{ prompt: 'Verification code: ', echo: false }],
          'Two steps',
          'Open the app on your phone.',
          ([code = '']) => {
            codes.push(code)
            context.accept()
          },
        )
      else if (hasSigned(context)) context.reject(['keyboard-interactive'], true)
      else if (context.method !== 'publickey') context.reject(['publickey'])
    }
    const host = await startLoginServer((context) =>
      wantsCode ? byKeyAndCode(context) : byPassword(context),
    )
    const world = await startWorld({ account: 'connected', service: { bootSeconds: [0, 0] } })
    const ssh = join(world.userData, 'home', '.ssh')
    await mkdir(ssh, { recursive: true, mode: 0o700 })
    const { port } = host.address
    await writeFile(join(ssh, 'config'), `Host bastion\n  HostName 127.0.0.1\n  Port ${port}\n  User ops\n`)
    await use({ world, host, wantCode: () => (wantsCode = true), codes })
    await world.end()
    host.close()
  },
})

/** What an independent generator says the codes are: the one before, now, and the next. */
async function rightCodes(): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('oathtool', [
    ...['--totp', '--base32', '-N', '30 seconds ago', '-w', '2', key],
  ])
  return stdout.trim().split('\n')
}

/** Files of a folder that hold a text. */
async function filesWith(text: string, folder: string): Promise<string> {
  // It ends with 1 where there is none.
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    'grep -rlF -- "$0" "$1" || test $? = 1',
    text,
    folder,
  ])
  return stdout
}

async function openTerminalOf(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Instances/ }).click()
  await instanceRow(page).getByRole('button', { name: 'Open terminal' }).click()
}

test('a host is logged in to with a password, remembered on request, and with a key and a stored code', async ({
  place,
}) => {
  const { world, host, wantCode, codes } = place
  const { page } = world.app
  const name = `127.0.0.1:${host.address.port}`
  const login = (on: Page) => on.getByRole('dialog', { name: `Log in to the jump host ${name}` })

  await test.step('it asks for a password after the keys, by keyboard alone, and says that one was wrong', async () => {
    await rent(page)
    await untilRunning(page)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Jump host', { exact: true }).fill('bastion')
    await page.getByRole('button', { name: 'Save jump host' }).click()
    await expect(page.getByText('New connections go through bastion.')).toBeVisible()
    await openTerminalOf(page)
    await page.getByRole('button', { name: 'Trust this host' }).click()
    const dialog = login(page)
    await expect(dialog).toContainText('Enter the password of “ops” on this host.')
    await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
    expect(await findings(page)).toEqual([])
    await page.keyboard.type('sesame\n')
    await expect(dialog).toContainText('The host refused this password.')
    await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
    await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('')
    await page.keyboard.type(password)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect(dialog.getByLabel('Remember password')).toBeChecked()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    const unknown = page.getByRole('dialog', { name: 'Unknown host' })
    await unknown.getByRole('button', { name: 'Trust this host' }).click()
    await expect.poll(() => screenText(page)).toContain('instance-')
    expect(host.said).toEqual(['sesame', password])
  })

  await test.step('the next start does not ask: the password is in the keychain, and nowhere else', async () => {
    await world.app.close()
    const kept = [...(await keychainEntries(world)).values()]
    expect(kept.some((entry) => entry?.includes(password))).toBe(true)
    expect(await filesWith(password, world.userData)).toBe('')
    const { page: again } = await world.startAgain()
    await openTerminalOf(again)
    await expect.poll(() => screenText(again)).toContain('instance-')
    expect(host.said).toEqual(['sesame', password, password])
    await again.getByRole('link', { name: /^Settings/ }).click()
    const list = again.getByRole('list', { name: 'Host passwords' })
    await expect(list).toContainText(`ops@${name}`)
    await expect(list).toContainText('In the keychain')
    expect(await findings(again)).toEqual([])
    await again.getByRole('button', { name: `Forget password of ops@${name}` }).click()
    await expect(again.getByText('No passwords remembered.')).toBeVisible()
  })

  await test.step('a code waits for its user, who is asked in a banner, and has the vault answer', async () => {
    const { page: again } = world.app
    await again.getByRole('link', { name: 'Security', exact: true }).click()
    await again.getByRole('button', { name: 'Add a one-time password' }).click()
    await again.getByLabel('Service', { exact: true }).fill('Bastion')
    await again.getByLabel('Key', { exact: true }).fill(key)
    await again.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(again.getByRole('listitem', { name: 'Bastion', exact: true })).toBeVisible()
    wantCode()
    host.drop()
    const banner = again.getByRole('region', { name: /needs your answer to connect/ })
    await expect(banner).toContainText('Jump host login needs your answer.')
    await banner.getByRole('button', { name: 'Answer' }).click()
    const dialog = login(again)
    await expect(dialog).toContainText('Framed text comes from the host, not from Slipway.')
    await expect(dialog.getByRole('group', { name: 'Text from the host' })).toHaveText(
      'Two steps\nOpen the app on your phone.',
    )
    await expect(dialog.getByLabel('Code', { exact: true })).toBeFocused()
    await expect(dialog.getByLabel('Remember password')).toHaveCount(0)
    expect(codes).toEqual([])
    await again.keyboard.press('Tab')
    await expect(dialog.getByLabel('Stored code')).toBeFocused()
    await again.keyboard.press('Enter')
    await again.getByRole('option', { name: 'Bastion' }).click()
    await expect(dialog).toContainText('Log in sends the next code of “Bastion”.')
    expect(await findings(again)).toEqual([])
    await again.screenshot({ path: test.info().outputPath('code.png') })
    await dialog.getByRole('button', { name: 'Log in' }).click()
    await expect(dialog).toHaveCount(0)
    await expect.poll(() => codes.length).toBe(1)
    expect(await rightCodes()).toContain(codes[0])
  })
})
