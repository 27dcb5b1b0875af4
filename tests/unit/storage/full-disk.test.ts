import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const disk = join(import.meta.dirname, '../../../src-main/services/storage/disk.ts')
/** Writes in a process whose files hold 64 KiB at most: as on a full disk, the write before that is short and no error. */
const program = `
  process.on('SIGXFSZ', () => undefined)
  const { replaceFile } = await import(process.argv[1])
  const bytes = Buffer.alloc(100_000, 'x')
  try {
    await replaceFile(process.argv[2], process.argv[3] === 'text' ? bytes.toString() : bytes)
    console.log('written')
  } catch (error) {
    console.log(error.code)
  }
`

test.skipIf(process.platform === 'win32').each(['text', 'bytes'])(
  'where the disk takes only a part of the %s, the old file stays, and the write fails',
  async (kind) => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-full-disk-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'kept.json')
    await writeFile(path, 'old')
    const limited = 'ulimit -f 128 && exec "$0" "$@"'
    const { stdout } = await promisify(execFile)('sh', [
      ...['-c', limited, process.execPath, '--input-type=module', '-e', program, disk, path, kind],
    ])
    expect(stdout.trim()).toBe('EFBIG')
    expect(await readFile(path, 'utf8')).toBe('old')
    expect(await readdir(folder)).toEqual(['kept.json'])
  },
)
