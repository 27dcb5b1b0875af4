import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findUpdateSource } from '../../../src-main/desktop/updater.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { signingKey } from '../updates/signing.ts'

async function sourceOf(
  env: Record<string, string>,
  { updates = true, execPath = '/app/slipway/slipway' } = {},
) {
  const appPath = await mkdtemp(join(tmpdir(), 'slipway-updater-'))
  onTestFinished(() => rm(appPath, { recursive: true, force: true }))
  const manifest = updates ? { updates: { publicKey: signingKey().publicKey } } : {}
  await writeFile(join(appPath, 'package.json'), JSON.stringify(manifest))
  return findUpdateSource({
    ...{ platform: 'linux', arch: 'x64', env, execPath, appPath },
    onInstall: () => undefined,
    onNotInstalled: () => undefined,
    quitThen: () => undefined,
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
