import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const heap = pathToFileURL(join(import.meta.dirname, '../../../src-main/desktop/heap.ts')).href

/**
 * Bytes of a process that keeps many records and reads a list again and again: how large its young generation has become,
 * and how much its old one had in it at most.
 *
 * @param begin what the process does first
 */
function bytesAfterLists(begin: string) {
  const script = `import { getHeapSpaceStatistics } from 'node:v8'
    import { keepHeapSmall } from '${heap}'
    ${begin}
    const space = (name) => getHeapSpaceStatistics().find(({ space_name }) => space_name === name)
    const listOf = (many) => Array.from({ length: many }, (_, id) => ({ id, name: 'Instance ' + id }))
    globalThis.kept = listOf(400_000)
    const text = JSON.stringify(listOf(25_000))
    let mostOld = 0
    for (let list = 0; list < 60; list += 1) {
      globalThis.last = JSON.parse(text)
      // What is collected beside the script comes to its end.
      await new Promise((resolve) => setTimeout(resolve, 5))
      mostOld = Math.max(mostOld, space('old_space').space_used_size)
    }
    console.log(JSON.stringify({ young: space('new_space').space_size, mostOld }))`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  const { young, mostOld }: Record<string, number> = JSON.parse(printed)
  if (young === undefined || mostOld === undefined) throw new Error(`It printed ${printed}`)
  return { young, mostOld }
}

test('lists that are read leave the heap near what is in use', () => {
  const usual = bytesAfterLists('')
  expect(usual.young).toBeGreaterThan(10_000_000)
  const small = bytesAfterLists('keepHeapSmall()')
  expect(small.young).toBeLessThan(usual.young / 4)
  // Usually no list comes to lie there: that is what is in use.
  expect(small.mostOld).toBeLessThan(usual.mostOld * 2)
})
