import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const heap = pathToFileURL(join(import.meta.dirname, '../../../src-main/desktop/heap.ts')).href

/**
 * Of a process that keeps many records and reads a list again and again: how large its young generation has become, in
 * bytes, and how often all of its heap was collected. How much lay in the old one at any time depends on how busy the
 * processors are, since V8 marks beside the script.
 *
 * @param begin what the process does first
 */
function heapAfterLists(begin: string) {
  const script = `import { PerformanceObserver, constants } from 'node:perf_hooks'
    import { getHeapSpaceStatistics } from 'node:v8'
    import { keepHeapSmall } from '${heap}'
    ${begin}
    let collections = 0
    const count = (entries) => {
      for (const { detail } of entries) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections += 1
    }
    const observer = new PerformanceObserver((list) => count(list.getEntries()))
    observer.observe({ entryTypes: ['gc'] })
    const listOf = (many) => Array.from({ length: many }, (_, id) => ({ id, name: 'Instance ' + id }))
    globalThis.kept = listOf(400_000)
    const text = JSON.stringify(listOf(25_000))
    for (let list = 0; list < 60; list += 1) {
      globalThis.last = JSON.parse(text)
      // What is collected beside the script comes to its end.
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    count(observer.takeRecords())
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size
    console.log(JSON.stringify({ young, collections }))`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  const { young, collections }: Record<string, number> = JSON.parse(printed)
  if (young === undefined || collections === undefined) throw new Error(`It printed ${printed}`)
  return { young, collections }
}

test('lists that are read leave the young heap as small as it began, and the old one is collected sooner', () => {
  const usual = heapAfterLists('')
  expect(usual.young).toBeGreaterThan(10_000_000)
  const small = heapAfterLists('keepHeapSmall()')
  expect(small.young).toBeLessThan(usual.young / 4)
  const firstAlone = heapAfterLists(`const { setFlagsFromString } = await import('node:v8')
    setFlagsFromString('--semi-space-growth-factor=1')`)
  expect(small.collections).toBeGreaterThan(firstAlone.collections)
})
