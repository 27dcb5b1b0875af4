import type { Page } from '@playwright/test'

/** What the page's scripts hold after a collection of garbage, in MB. */
export async function pageMemoryMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1_000_000
}
