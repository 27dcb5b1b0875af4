import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const module = join(import.meta.dirname, '../../../src-main/desktop/system-umask.ts')
const program = `import { readUmask } from ${JSON.stringify(module)}; console.log(await readUmask())`

// Windows has none.
test.skipIf(process.platform === 'win32').for([0o002, 0o022, 0o077])(
  'the umask that the process was started with is told (%i)',
  async (umask) => {
    const command = `umask ${umask.toString(8)}; exec "$0" --input-type=module-typescript -e "$1"`
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command, process.execPath, program])
    expect(Number(stdout)).toBe(umask)
  },
)
