import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractFile, listPackage, statFile } from '@electron/asar'
import { FuseState, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fuses } from '../../../build/after-pack.mjs'
import { bundledPackagesFile } from '#domain/diagnostics/licenses.ts'
import { billOfMaterials } from '../../../tools/release/bill-of-materials.mjs'
import { updateOptions } from '../../../tools/release/update-options.mjs'
import { signingKey } from '../../unit/updates/signing.ts'
import { buildAndPackCopy, pack, type Packed } from './pack.ts'

const megabyte = 1_000_000
const top = join(import.meta.dirname, '..', '..', '..')

let folder: string
let packed: Packed
/** Paths in app.asar, with forward slashes and none at the front; folders too. */
let inside: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-pack-'))
  packed = await pack(folder)
  inside = listPackage(packed.asar, { isPack: false }).map((path) => path.replaceAll('\\', '/').slice(1))
}, 900_000)
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('what is packed', () => {
  test('has what runs: main, preload, the page, and the packages that main requires', () => {
    for (const path of [
      'package.json',
      'out/main/index.js',
      'out/main/unlock-worker.js',
      'out/main/gitignore-worker.js',
      'out/main/keychain-host.js',
      'out/preload/preload.cjs',
      'out/licenses/packages.json',
      'out/renderer/index.html',
      'resources/tray.png',
      'resources/trayTemplate@2x.png',
      'node_modules/keytar/package.json',
      'node_modules/ssh2/lib/index.js',
    ])
      expect(inside).toContain(path)
    const { main } = JSON.parse(extractFile(packed.asar, 'package.json').toString()) as { main: string }
    expect(inside).toContain(main)
  })

  test('has nothing else: no sources, no tests, no tools, no package that only building needs', () => {
    const roots = new Set(inside.map((path) => path.split('/')[0]))
    expect([...roots].sort()).toEqual(['node_modules', 'out', 'package.json', 'resources'])
    const packages = new Set(
      inside.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/@]+)$/.exec(path)?.[1] ?? []),
    )
    expect([...packages].sort()).toEqual([
      'asn1',
      'bcrypt-pbkdf',
      'keytar',
      'safer-buffer',
      'ssh2',
      'tweetnacl',
    ])
    expect(inside.filter((path) => /\.(ts|vue|map|md|gyp|cc?|h)$/.test(path))).toEqual([])
    expect(inside.filter((path) => /(^|\/)(test|tests|examples|benchmark)\//.test(path))).toEqual([])
  })

  test('has the keychain’s binary of this platform, and no other, outside the archive', async () => {
    const binaries = inside.filter((path) => path.endsWith('.node'))
    expect(binaries).toHaveLength(1)
    const [binary = ''] = binaries
    expect(binary).toContain(`linux-${process.arch}`)
    expect((await stat(join(packed.unpacked, binary))).size).toBeGreaterThan(10_000)
  })

  test('weighs less than 8 MB without Electron', async () => {
    const bytes = (await stat(packed.asar)).size + (await sizeOf(packed.unpacked))
    expect(bytes).toBeLessThan(8 * megabyte)
    // More than an empty one, so that this cannot pass by packing nothing.
    expect(bytes).toBeGreaterThan(megabyte)
  })
})

describe('licenses', () => {
  const listed = () =>
    bundledPackagesFile.parse(JSON.parse(extractFile(packed.asar, 'out/licenses/packages.json').toString()))

  test('are there of every package in the archive, of bundled ones, fonts, icons, Electron, and Slipway', () => {
    const manifests = inside.filter((path) => /^node_modules\/((@[^/]+\/)?[^/]+)\/package\.json$/.test(path))
    expect(manifests.length).toBeGreaterThan(4)
    const names = listed().map(({ name }) => name)
    for (const path of manifests) {
      const { name } = JSON.parse(extractFile(packed.asar, path).toString()) as { name: string }
      expect(names).toContain(name)
    }
    for (const name of ['Slipway', 'electron', 'vue', 'zod', 'echarts', 'electron-updater', 'tailwindcss'])
      expect(names).toContain(name)
    for (const name of ['@fontsource-variable/inter', '@iconify-json/lucide', '@xterm/xterm'])
      expect(names).toContain(name)
    // What only builds and tests is not shipped.
    for (const name of ['vitest', 'electron-builder', 'typescript']) expect(names).not.toContain(name)
  })

  test('give the bill of materials, with each package of them', async () => {
    const [, ...shipped] = listed()
    const read = (name: string) => readFile(join(top, name), 'utf8')
    const program = JSON.parse(await read('package.json')) as { version: string; license: string }
    const lock = JSON.parse(await read('package-lock.json')) as { packages: Record<string, object> }
    const bill = JSON.stringify(billOfMaterials(program, lock, shipped))
    for (const { name, version } of shipped) expect(bill).toContain(`"bom-ref":"${name}@${version}"`)
  })

  test('are beside the program for people, too', async () => {
    const text = await readFile(join(packed.folder, 'resources', 'LICENSES.txt'), 'utf8')
    for (const { name, version } of listed()) expect(text).toContain(`${name} ${version} (`)
    expect(text).toContain('LICENSES.chromium.html')
  })
})

test('built and packed again, in another folder, it is the same byte for byte', async () => {
  const again = await buildAndPackCopy(await mkdtemp(join(folder, 'again-')))
  const sums = [packed.asar, again.asar].map((asar) =>
    Object.fromEntries(
      listPackage(asar, { isPack: false })
        .map((path) => path.slice(1))
        .filter((path) => 'size' in statFile(asar, path))
        .map((path) => [path, sumOf(extractFile(asar, path))]),
    ),
  )
  // First the files, so that a failure names the ones that differ.
  expect(sums[1]).toEqual(sums[0])
  expect(sumOf(await readFile(again.asar))).toBe(sumOf(await readFile(packed.asar)))
}, 900_000)

// Which they are is said in electron-on-chromium/security-checklist.test.ts, 19.
test('Electron’s fuses are those of the hook, each of them, read back from the executable', async () => {
  const { version, ...wire } = await getCurrentFuseWire(packed.executable)
  expect(version).toBe('1')
  const states = Object.entries(fuses).map(([fuse, isOn]) => [
    fuse,
    isOn ? FuseState.ENABLE : FuseState.DISABLE,
  ])
  expect(wire).toEqual(Object.fromEntries(states))
})

describe('updates', () => {
  test('a build without a place for them has neither address nor key', async () => {
    const manifest: unknown = JSON.parse(extractFile(packed.asar, 'package.json').toString())
    expect(manifest).not.toHaveProperty('updates')
    await expect(readFile(join(packed.folder, 'resources', 'app-update.yml'))).rejects.toThrow('ENOENT')
  })

  test('a build with one has both, from the environment alone', async () => {
    const url = 'https://updates.example/slipway/'
    const { publicKey } = signingKey()
    const own = await mkdtemp(join(folder, 'updates-'))
    const updating = await pack(
      own,
      updateOptions({ SLIPWAY_UPDATE_URL: url, SLIPWAY_UPDATE_PUBLIC_KEY: publicKey }),
    )
    const manifest: unknown = JSON.parse(extractFile(updating.asar, 'package.json').toString())
    expect(manifest).toMatchObject({ updates: { publicKey } })
    const config = await readFile(join(updating.folder, 'resources', 'app-update.yml'), 'utf8')
    expect(config).toContain(`url: ${url}`)
    expect(config).toContain('updaterCacheDirName: slipway-updater')
  }, 900_000)
})

function sumOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function sizeOf(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
