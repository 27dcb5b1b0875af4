import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pack } from '../../integration/packaging/pack.ts'
import { shown, type Figure } from '../figure.ts'

const top = join(import.meta.dirname, '../../..')
const megabyte = 1_000_000

/** What the build weighs, and what is packed of it and beside it, without Electron. */
export async function measureSizes(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-sizes-'))
  try {
    const packed = await pack(folder)
    const [main, preload, page] = await Promise.all(['main', 'preload', 'renderer'].map(weighBuilt))
    const archive = (await stat(packed.asar)).size
    const beside = await sizeOf(packed.unpacked)
    const packages = await sizeOf(join(top, 'node_modules', 'keytar'))
    return [
      ...(main ? [bundle('main', main)] : []),
      ...(preload ? [bundle('preload', preload)] : []),
      ...(page ? [bundle('page, with fonts', page)] : []),
      {
        name: 'package without Electron',
        value: (archive + beside) / megabyte,
        unit: 'MB',
        beside: `app.asar ${shown(archive / megabyte)} MB; keytar alone, as npm installs it, ${shown(packages / megabyte)} MB`,
        target: { atMost: 8 },
      },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Weight {
  readonly bytes: number
  readonly gzipped: number
}

function bundle(name: string, { bytes, gzipped }: Weight): Figure {
  return {
    name: `bundle of ${name}, gzipped`,
    value: gzipped / 1_000,
    unit: 'kB',
    beside: `${shown(bytes / 1_000)} kB as it lies on the disk`,
  }
}

async function weighBuilt(part: string): Promise<Weight> {
  const files = await filesIn(join(top, 'out', part))
  const contents = await Promise.all(files.map((file) => readFile(file)))
  return {
    bytes: contents.reduce((sum, content) => sum + content.length, 0),
    gzipped: contents.reduce((sum, content) => sum + gzipSync(content).length, 0),
  }
}

async function sizeOf(folder: string): Promise<number> {
  const sizes = await Promise.all((await filesIn(folder)).map(async (file) => (await stat(file)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
