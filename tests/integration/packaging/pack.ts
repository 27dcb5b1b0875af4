import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureBuilt } from '../../../tools/launch.mjs'

const run = promisify(execFile)
const top = join(import.meta.dirname, '..', '..', '..')
const electronBuilder = join(top, 'node_modules', 'electron-builder', 'cli.js')

/** As @electron/fuses finds them: a mark, the version, how many there are, and a byte for each ("1" is on). */
const fuseWire = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('101111011'),
])

/** A file in place of Electron's executable: its fuses as they come, and nothing to run. */
export const executableWithFuses = Buffer.concat([Buffer.alloc(4096), fuseWire, Buffer.alloc(4096)])

export interface Packed {
  /** What would be put into installers, without Electron's own files. */
  readonly folder: string
  readonly asar: string
  readonly unpacked: string
  readonly executable: string
}

/**
 * Packs this project for Linux with electron-builder and its real configuration, on a stand-in for the unpacked
 * Electron: a few small files, of which one has Electron's fuses as they come.
 *
 * @param folder an empty one, for the stand-in and for what is packed
 * @param further options of electron-builder
 */
export async function pack(folder: string, further: readonly string[] = []): Promise<Packed> {
  const output = await runElectronBuilder(folder, ['--linux', '--dir', ...further])
  const packed = join(output, 'linux-unpacked')
  return {
    folder: packed,
    asar: join(packed, 'resources', 'app.asar'),
    unpacked: join(packed, 'resources', 'app.asar.unpacked'),
    executable: join(packed, 'slipway'),
  }
}

/**
 * Runs electron-builder with the real configuration and `args`, on the stand-in.
 *
 * @param folder as for `pack`
 * @param env added to the environment
 * @returns the folder of what came out
 */
export async function runElectronBuilder(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  await ensureBuilt()
  const electron = join(folder, 'electron')
  const output = join(folder, 'packed')
  await makeStandIn(electron)
  await run(
    process.execPath,
    [
      electronBuilder,
      '--publish=never',
      '--config=build/electron-builder.yml',
      `--config.electronDist=${electron}`,
      `--config.directories.output=${output}`,
      ...args,
    ],
    // Nothing is signed here, whatever the environment has.
    { cwd: top, env: { ...process.env, CSC_IDENTITY_AUTO_DISCOVERY: 'false', ...env } },
  )
  return output
}

async function makeStandIn(folder: string): Promise<void> {
  await mkdir(join(folder, 'resources'), { recursive: true })
  await mkdir(join(folder, 'locales'))
  await writeFile(join(folder, 'electron'), executableWithFuses)
  await chmod(join(folder, 'electron'), 0o755)
  await writeFile(join(folder, 'locales', 'en-US.pak'), '')
  await writeFile(join(folder, 'version'), await electronVersion())
}

async function electronVersion(): Promise<string> {
  const { devDependencies } = JSON.parse(await readFile(join(top, 'package.json'), 'utf8')) as {
    readonly devDependencies: { readonly electron: string }
  }
  return devDependencies.electron
}
