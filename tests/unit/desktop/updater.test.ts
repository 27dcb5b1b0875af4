import { EventEmitter } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ProxyLogins } from '../../../src-main/desktop/network/proxy-logins.ts'
import { createUpdateEngine, findUpdateSource, isOwnAppImage } from '../../../src-main/desktop/updater.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { signingKey } from '../updates/signing.ts'

async function sourceOf(
  env: Record<string, string>,
  { updates = true, execPath = '/app/slipway/slipway' } = {},
) {
  const appPath = await temporaryFolder()
  const manifest = updates ? { updates: { publicKey: signingKey().publicKey } } : {}
  await writeFile(join(appPath, 'package.json'), JSON.stringify(manifest))
  return findUpdateSource({
    ...{ platform: 'linux', arch: 'x64', env, execPath, appPath },
    onInstall: () => undefined,
    onNotInstalled: () => undefined,
    quitThen: () => undefined,
    logins: new ProxyLogins(),
    log: memoryLog(),
  })
}

const id = { FLATPAK_ID: 'app.slipway.Slipway' }

test.each([
  ['with a place for updates', true, id],
  ['without one', false, id],
  [
    'started from an AppImage’s terminal',
    true,
    { ...id, APPIMAGE: '/a', APPDIR: dirname('/app/slipway/slipway') },
  ],
])('a Flatpak %s leaves updates to Flatpak', async (_, updates, env) => {
  expect(await sourceOf(env, { updates })).toEqual({ kind: 'none', why: 'flatpak' })
})

test('a package that was started from a terminal that is a Flatpak is no Flatpak', async () => {
  expect(await sourceOf(id, { execPath: '/opt/Slipway/slipway' })).toEqual({
    kind: 'none',
    why: 'not-by-itself',
  })
})

test('a build without a place for updates says so', async () => {
  expect(await sourceOf({}, { updates: false })).toEqual({ kind: 'none', why: 'not-configured' })
})

/** As electron-updater: whoever asks on the way of a request is told of, and the request waits for the answer. */
class UpdaterBehindProxy extends EventEmitter {
  readonly given: (string | undefined)[][] = []

  async checkForUpdates(): Promise<unknown> {
    const login = await this.#ask()
    if (login[0] === undefined) throw new Error('net::ERR_TUNNEL_CONNECTION_FAILED')
    if (login[1] !== 'right') return this.checkForUpdates()
    return { updateInfo: { version: '9.9.9' } }
  }

  #ask(): Promise<(string | undefined)[]> {
    const challenge = { isProxy: true, scheme: 'basic', host: 'proxy.example', port: 8080, realm: 'Staff' }
    return new Promise((resolve) =>
      this.emit('login', challenge, (...login: string[]) => {
        this.given.push(login)
        resolve(login)
      }),
    )
  }
}

test('a proxy that asks during a look for updates gets what the user told, once, and never holds it up', async () => {
  const logins = new ProxyLogins()
  const updater = new UpdaterBehindProxy()
  const nothing = () => undefined
  const engine = createUpdateEngine(updater as never, {
    ...{ onInstall: nothing, onNotInstalled: nothing, quitThen: nothing },
    logins,
    log: memoryLog(),
  })
  await expect(engine.look('latest')).rejects.toThrow('ERR_TUNNEL')
  expect(logins.question.value).toMatchObject({ id: 1, host: 'proxy.example', wasRefused: false })
  logins.answer(1, { name: 'ada', password: 'wrong' })
  await expect(engine.look('latest')).rejects.toThrow('ERR_TUNNEL')
  expect(logins.question.value).toMatchObject({ id: 2, wasRefused: true })
  logins.answer(2, { name: 'ada', password: 'right' })
  expect(await engine.look('latest')).toEqual({ version: '9.9.9' })
  expect(updater.given).toEqual([[], ['ada', 'wrong'], [], ['ada', 'right']])
})

// AppImages are for Linux.
const onLinux = test.runIf(process.platform === 'linux')

async function mounted(name: string): Promise<string> {
  const folder = join(await temporaryFolder(), name)
  await mkdir(folder)
  return folder
}

onLinux('a program that runs out of the AppImage of its environment is that AppImage', async () => {
  const APPDIR = await mounted('.mount_Slipwab12')
  const env = { APPIMAGE: '/home/me/Slipway.AppImage', APPDIR }
  expect(isOwnAppImage({ env, execPath: join(APPDIR, 'slipway') })).toBe(true)
  const link = `${APPDIR}-link`
  await symlink(APPDIR, link)
  expect(isOwnAppImage({ env: { ...env, APPDIR: link }, execPath: join(APPDIR, 'slipway') })).toBe(true)
})

onLinux(
  'one that was started from another AppImage’s terminal is not: its file is not to be replaced',
  async () => {
    const APPDIR = await mounted('.mount_Editorab12')
    const env = { APPIMAGE: '/home/me/Editor.AppImage', APPDIR }
    expect(isOwnAppImage({ env, execPath: '/opt/Slipway/slipway' })).toBe(false)
    expect(isOwnAppImage({ env, execPath: `${APPDIR}-2/slipway` })).toBe(false)
  },
)

test.each([
  ['nothing of it', {}],
  ['no folder', { APPIMAGE: '/home/me/Slipway.AppImage' }],
  ['a folder that is gone', { APPIMAGE: '/home/me/Slipway.AppImage', APPDIR: '/tmp/.mount_gone' }],
])('an environment with %s is no AppImage’s', (_, env) => {
  expect(isOwnAppImage({ env, execPath: '/tmp/.mount_gone/slipway' })).toBe(false)
})
