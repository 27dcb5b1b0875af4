import type { Page } from '@playwright/test'

/** All texts in the memory of the page after its garbage is gone, of a heap snapshot. */
export async function textsInMemory(page: Page): Promise<readonly string[]> {
  const cdp = await page.context().newCDPSession(page)
  const chunks: string[] = []
  cdp.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  try {
    await cdp.send('HeapProfiler.enable')
    await cdp.send('HeapProfiler.collectGarbage')
    await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
    // The texts come last, after a hundred times as much of numbers; in a text, these quotes would be escaped.
    const snapshot = chunks.join('')
    const texts = snapshot.slice(
      snapshot.indexOf('"strings":') + '"strings":'.length,
      snapshot.lastIndexOf('}'),
    )
    return JSON.parse(texts) as readonly string[]
  } finally {
    await cdp.detach()
  }
}
