import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const heap = pathToFileURL(join(import.meta.dirname, '../../../src-main/desktop/heap.ts')).href

/** Bytes of the young generation of a process that has read 50,000 records. @param begin what the process does first */
function youngBytes(begin: string): number {
  const script = `import { getHeapSpaceStatistics } from 'node:v8'
    import { keepYoungHeapSmall } from '${heap}'
    ${begin}
    const text = JSON.stringify(Array.from({ length: 50_000 }, (_, id) => ({ id, name: 'Instance ' + id })))
    globalThis.kept = Array.from({ length: 5 }, () => JSON.parse(text))
    console.log(getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }))
}

test('what is read makes the young generation no larger', () => {
  const usual = youngBytes('')
  expect(usual).toBeGreaterThan(10_000_000)
  expect(youngBytes('keepYoungHeapSmall()')).toBeLessThan(usual / 4)
})
