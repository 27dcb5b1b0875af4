import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that is gone when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-test-'))
  // What the test has started may still be writing when it is told to end.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  return folder
}
