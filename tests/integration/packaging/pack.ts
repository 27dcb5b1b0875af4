import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureBuilt } from '../../../tools/launch.mjs'

const run = promisify(execFile)
const top = join(import.meta.dirname, '..', '..', '..')
/** What a build is made of, besides the packages. */
const sources = [
  '.gitignore',
  'CHANGELOG.md',
  'LICENSE',
  'build',
  'electron.vite.config.ts',
  'package-lock.json',
  'package.json',
  'resources',
  'src-main',
  'src-renderer',
  'tools',
  'tsconfig.json',
]

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
  await ensureBuilt()
  return packProject(top, folder, further)
}

/**
 * Copies this project, builds the copy, and packs it as {@link pack} does.
 *
 * @param folder an empty one
 */
export async function buildAndPackCopy(folder: string): Promise<Packed> {
  const project = join(folder, 'elsewhere', 'project')
  await mkdir(project, { recursive: true })
  for (const source of sources) await cp(join(top, source), join(project, source), { recursive: true })
  const [from, to] = [join(top, 'node_modules'), join(project, 'node_modules')]
  // Links cost no space, but lead to no other disk.
  await run('cp', ['-al', from, to]).catch(async () => {
    await rm(to, { recursive: true, force: true })
    await run('cp', ['-a', from, to])
  })
  // Written by each build, so not to be shared.
  await rm(join(to, '.nuxt-ui'), { recursive: true, force: true })
  const electronVite = join(to, 'electron-vite', 'bin', 'electron-vite.js')
  await run(process.execPath, [electronVite, 'build', '--logLevel', 'warn'], { cwd: project })
  return packProject(project, folder, [])
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
  return runIn(top, folder, args, env)
}

async function packProject(project: string, folder: string, further: readonly string[]): Promise<Packed> {
  const output = await runIn(project, folder, ['--linux', '--dir', ...further])
  const packed = join(output, 'linux-unpacked')
  return {
    folder: packed,
    asar: join(packed, 'resources', 'app.asar'),
    unpacked: join(packed, 'resources', 'app.asar.unpacked'),
    executable: join(packed, 'slipway'),
  }
}

async function runIn(
  project: string,
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const electron = join(folder, 'electron')
  const output = join(folder, 'packed')
  await makeStandIn(electron)
  await run(
    process.execPath,
    [
      join(project, 'node_modules', 'electron-builder', 'cli.js'),
      '--publish=never',
      '--config=build/electron-builder.yml',
      `--config.electronDist=${electron}`,
      `--config.directories.output=${output}`,
      ...args,
    ],
    // Nothing is signed here, whatever the environment has.
    { cwd: project, env: { ...process.env, CSC_IDENTITY_AUTO_DISCOVERY: 'false', ...env } },
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
