import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pushOnSave } from '#services/files/push/push-on-save.ts'
import type { ChangesOutcome } from '#services/files/push/project-push.ts'

/** Push on save of a folder, on a clock that a test moves; each try ends as the test says. */
async function start(outcomes: readonly ChangesOutcome[]) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-saves-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const left = outcomes.values()
  const sleeps: { readonly ms: number; readonly end: () => void }[] = []
  let tries = 0
  const end = new AbortController()
  const done = pushOnSave(
    {
      push: {
        pushChanges: async (_signal, onFolders) => {
          tries += 1
          onFolders([folder])
          return left.next().value ?? 'done'
        },
        setWatchFault: () => undefined,
        wait: () => undefined,
      },
      ...{ platform: process.platform, isUp: () => true, whenTold: () => Promise.resolve() },
      clock: {
        now: () => 0,
        sleep: (ms, signal) => {
          // What comes with a change is there at once.
          if (ms < 1_000) return Promise.resolve()
          return new Promise((resolve, reject) => {
            sleeps.push({ ms, end: resolve })
            signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
          })
        },
      },
    },
    end.signal,
  )
  onTestFinished(async () => {
    end.abort()
    await done
  })
  const change = (): Promise<void> => writeFile(join(folder, 'x'), String(Math.random()))
  return { change, sleeps, tries: () => tries }
}

test('a change doesn’t cut the pause after a failure short, and is pushed after it', async () => {
  const { change, sleeps, tries } = await start(['failed', 'failed'])
  await expect.poll(() => sleeps.map(({ ms }) => ms)).toEqual([5_000])
  const before = tries()
  for (let time = 0; time < 3; time += 1) await change()
  // Whatever watches has told by the time that another change would have been.
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(tries()).toBe(before)
  sleeps.at(-1)?.end()
  await expect.poll(() => sleeps.map(({ ms }) => ms)).toEqual([5_000, 10_000])
  sleeps.at(-1)?.end()
  await expect.poll(() => sleeps.at(-1)?.ms).toBe(60_000)
})

test('without a failure a change is pushed at once', async () => {
  const { change, sleeps, tries } = await start([])
  await expect.poll(() => sleeps.at(-1)?.ms).toBe(60_000)
  const before = tries()
  // macOS begins to watch some time later, and doesn't say when.
  const triesAfterChange = async (): Promise<number> => {
    await change()
    return tries()
  }
  await expect.poll(triesAfterChange).toBeGreaterThan(before)
})
