import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { wholeLists } from '#contract/instances-changes.ts'
import { hardening } from '../../support/hardening.ts'
import { heldBytes } from '../../support/heap.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startScene } from './fault-scene.ts'

/** Of an hour; and how many go before the first measurement. */
const quarters = hardening({ usual: 1, full: 96 })
const before = Math.max(1, quarters / 24)
const hourMs = 3_600_000

test(
  `${quarters / 4} h with 1,000 instances, polls, guards and a page that looks on: memory, timers and listeners stay`,
  async () => {
    const warnings: string[] = []
    const warned = ({ name, message }: Error): void => void warnings.push(`${name}: ${message}`)
    process.on('warning', warned)
    const scene = await startScene({ instances: 1000 })
    const { clock, service } = scene
    const page = scene.page(undefined, { isRecorded: false })
    onTestFinished(async () => {
      page.close()
      process.off('warning', warned)
      await scene.close()
    })
    const seen = { lists: 0, instances: 0, guards: 0 }
    const watching = Promise.all([
      (async () => {
        for await (const { instances } of await wholeLists(page.client.instances.watch)()) {
          seen.lists += 1
          seen.instances = instances?.length ?? 0
        }
      })(),
      (async () => {
        for await (const { guards } of await page.client.guards.watch()) seen.guards = guards.length
      })(),
    ])
    // Ends with the port.
    watching.catch(() => undefined)
    await clock.pass(60_000)
    await expect.poll(() => seen.instances).toBe(1000)
    const ids = await idsOf(page.client)

    /** A machine fails or comes back, and each hour another is guarded. */
    async function pass(quarter: number): Promise<void> {
      await service.instances.setFate(ids[quarter % 500] ?? 0, quarter % 2 === 0 ? 'exited' : 'running')
      const instanceId = ids[500 + (quarter % 400)] ?? 0
      const condition = { kind: 'after', hours: 2 } as const
      if (quarter % 4 === 0)
        await page.client.guards.set({ instanceId, action: 'stop', condition, place: 'slipway' })
      await clock.pass(hourMs / 4)
    }
    const measure = async () => ({
      heldBytes: await heldBytes(),
      sleeping: clock.sleeping,
      resources: process.getActiveResourcesInfo().filter((name) => name !== 'Immediate').length,
      listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    })

    // The first stretch fills what is bounded: histories, compiled code.
    for (let quarter = 0; quarter < before; quarter += 1) await pass(quarter)
    const early = await measure()
    const lists = seen.lists
    for (let quarter = 0; quarter < quarters; quarter += 1) await pass(before + quarter)

    expect(seen.lists - lists).toBeGreaterThan(25 * quarters)
    expect(seen.instances).toBeGreaterThan(900)
    expect(seen.guards).toBeGreaterThan(0)
    // Connections that nobody uses any more are kept open for some seconds of real time: what leaks stays.
    await waitFor(async () => {
      const late = await measure()
      expect(late.heldBytes / early.heldBytes).toBeLessThan(1.15)
      // One for each guard that was set since, at most.
      expect(late.sleeping).toBeLessThanOrEqual(early.sleeping + 3)
      expect(late.resources).toBeLessThanOrEqual(early.resources + 3)
      expect(late.listeners).toBe(early.listeners)
    })
    expect(warnings).toEqual([])
    expect(await sizeOf(scene.userData)).toBeLessThan(20_000_000)
  },
  hardening({ usual: 600_000, full: 7_200_000 }),
)

type Client = Awaited<ReturnType<typeof startScene>>['client']

async function idsOf(client: Client): Promise<readonly number[]> {
  for await (const { instances } of await wholeLists(client.instances.watch)())
    if (instances !== null) return instances.map(({ id }) => id)
  return []
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    // What is being written has a name of its own until it takes the place of the file.
    files.map(async ({ parentPath, name }) => {
      const found = await stat(join(parentPath, name)).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      })
      return found?.size ?? 0
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
