import type { CDPSession } from 'playwright-core'
import { z } from 'zod'

export const isolatedWorld = 'electron-isolated'

/** Begins what the isolated world names a file by until main has its path. */
export const fileNamePrefix = 'slipway-double-file:'

const namedFiles = z.looseObject({ paths: z.array(z.string()) })

/**
 * Puts paths where the isolated world has named files in the `paths` of a message: only Chromium's debugger tells where a file lies, and not at once
 * as Electron's `webUtils` does. A file that the page has made has none, and is left out, as preload.ts leaves out `''`.
 */
export async function withPaths(cdp: CDPSession, message: unknown): Promise<unknown> {
  const dropped = namedFiles.safeParse(message)
  if (!dropped.success || !dropped.data.paths.some(isFileName)) return message
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: isolatedWorld,
  })
  const paths = await Promise.all(
    dropped.data.paths.map(async (value) => {
      if (!isFileName(value)) return value
      const expression = `slipwayDoubleFiles[${JSON.stringify(value)}]`
      const { result } = await cdp.send('Runtime.evaluate', { expression, contextId })
      return (await cdp.send('DOM.getFileInfo', { objectId: result.objectId ?? '' })).path
    }),
  )
  return { ...dropped.data, paths: paths.filter((path) => path !== '') }
}

function isFileName(value: string): boolean {
  return value.startsWith(fileNamePrefix)
}
