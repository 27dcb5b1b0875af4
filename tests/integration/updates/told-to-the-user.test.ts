import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AppDependencies } from '../../../src-main/app/dependencies.ts'
import { signReleaseFile } from '../../../tools/release/release-file.mjs'
import { readYaml } from '../../../tools/release/yaml.mjs'
import { signingKey } from '../../unit/updates/signing.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { firstOf } from '../accounts/program.ts'
import { startMain, type Client } from '../whole/main-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const key = signingKey()
const newest = readYaml(
  signReleaseFile(
    'latest-linux.yml',
    'version: 1.2.4\nfiles:\n  - url: Slipway.AppImage\n    sha512: abc\nreleaseNotes: Faster.\n',
    key.privateKey,
  ),
)

interface Run {
  readonly client: Client
  /** The titles of the desktop's notifications. */
  readonly told: () => readonly string[]
  /** Clicks the one notification of the desktop whose title this is. */
  readonly click: (title: string) => void
  readonly end: () => Promise<void>
}

/** All of main on one data folder, with a place for updates whose installer never comes to anything. */
async function runsOn(userData: string): Promise<() => Promise<Run>> {
  const keychain = fakeBackend()
  return async () => {
    const shown = new Map<string, () => void>()
    const updates: AppDependencies['updates'] = {
      source: () => ({
        kind: 'engine',
        publicKey: key.publicKey,
        computer: { platform: 'linux', arch: 'x64' },
        engine: {
          look: () => Promise.resolve(newest),
          download: () => Promise.resolve(),
          install: () => Promise.resolve(),
        },
      }),
      ask: () => Promise.resolve(true),
    }
    const { app, window } = await startMain({
      userData,
      keychain,
      updates,
      about: {
        version: '1.2.3',
        isDevelopment: false,
        electron: null,
        chrome: null,
        node: '0',
        platform: 'test',
        isSandboxOff: false,
      },
      notifications:
        () =>
        ({ title }, { onOpen }) =>
          void shown.set(title, onOpen),
    })
    const { client, close } = window()
    return {
      client,
      told: () => [...shown.keys()],
      click: (title) => {
        const open = shown.get(title)
        if (open === undefined) throw new Error(`Nothing is told of ${title}`)
        open()
      },
      end: async () => {
        close()
        await app.dispose()
      },
    }
  }
}

test('a click on the word of a new version leads to its release notes; one that was not installed is told at the next start', async () => {
  const folder = await temporaryFolder()
  const start = await runsOn(join(folder, 'data'))

  const one = await start()
  await one.client.settings.update({ looksForUpdates: true })
  const found = await firstOf(one.client.updates.watch, ({ kind }) => kind === 'found')
  expect(found).toMatchObject({ version: '1.2.4', notes: 'Faster.' })
  await expect.poll(() => one.told()).toEqual(['Slipway 1.2.4 is available'])
  one.click('Slipway 1.2.4 is available')
  expect(await firstOf(one.client.workbench.watchPageRequests)).toEqual({ kind: 'command', id: 'updates' })
  expect(await firstOf(one.client.updates.watchNotInstalled)).toBeNull()
  await one.client.updates.download()
  await one.client.updates.install()
  await one.end()

  const next = await start()
  expect(await firstOf(next.client.updates.watchNotInstalled)).toBe('1.2.4')
  await next.client.updates.forgetNotInstalled()
  await next.end()

  const last = await start()
  expect(await firstOf(last.client.updates.watchNotInstalled)).toBeNull()
  await last.end()
})
