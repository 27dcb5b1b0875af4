import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FiguresView } from '#domain/figures/figures-view.ts'
import { firstOf } from '../accounts/program.ts'
import { guardedInstance, trustHost } from '../guards/guarded-instance.ts'

/** An instance whose shell for commands is these lines, when there are any, and how its figures come. */
async function shownInstance(lines?: string) {
  const { service, client, instanceId } = await guardedInstance()
  const stop = new AbortController()
  const views: FiguresView[] = []
  const follow = async (): Promise<void> => {
    for await (const view of await client.figures.watch({ instanceId }, { signal: stop.signal }))
      views.push(view)
  }
  const following = follow().catch(() => undefined) // it ends by the signal
  if (lines !== undefined) {
    const folder = join(String(service.instances.homeOf(instanceId)), '../root/bin')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'sh'), `#!/bin/sh\n${lines}\n`)
    await chmod(join(folder, 'sh'), 0o755)
  }
  await client.figures.show({ instanceId })
  await trustHost(client, instanceId)
  return {
    ...{ client, instanceId, views },
    latest: () => views.at(-1),
    leave: async () => {
      stop.abort()
      await following
    },
  }
}

/** Longer than a line takes to come, and so that a pause after an end is over. */
const patience = { timeout: 60_000, interval: 200 }

test('an instance says its figures while somebody looks, and keeps their course', async () => {
  const { client, instanceId, latest, views, leave } = await shownInstance()
  await expect.poll(latest, patience).toMatchObject({ state: { kind: 'live' } })
  await expect.poll(() => latest()?.figures?.cores?.used, patience).toBeGreaterThan(0)
  expect(latest()?.figures?.disks).toMatchObject([{ path: '/' }])
  expect(latest()?.figures?.gpus).toEqual({ kind: 'no-tool' })
  await leave()
  const { length } = views
  const points = await firstOf(() => client.figures.watchPoints({ instanceId }))
  expect(points.length).toBeGreaterThan(0)
  expect(points[0]).toMatchObject({ gpu: null, memory: expect.any(Number) as number })
  // Nobody looks: nothing comes, and it isn't connected to for this anymore.
  await expect
    .poll(() => firstOf(client.ssh.connections.watch), patience)
    .toMatchObject([{ instanceId, state: { kind: 'idle' } }])
  expect(views).toHaveLength(length)
})

describe('of an instance that means ill', () => {
  test('a flood of what is no line is passed over, and ends', async () => {
    const { client, instanceId, latest, leave } = await shownInstance('exec yes \'{"version":"1","uptime":\'')
    await expect.poll(latest, patience).toMatchObject({ state: { kind: 'starting' } })
    // Main does its other work while it comes, for longer than a line takes that is one.
    const begun = Date.now()
    while (Date.now() - begun < 5_000) await client.instances.refresh()
    expect(latest()).toMatchObject({ state: { kind: 'starting' }, figures: null })
    await client.figures.hide({ instanceId })
    await expect.poll(latest, patience).toMatchObject({ state: { kind: 'off' } })
    await leave()
  })

  test('a line without an end is none', async () => {
    const { latest, leave } = await shownInstance(
      `head -c 3000000 /dev/zero | tr '\\0' '['\necho\nwhile :; do echo '{"version":"1","uptime":"5.0 1"}'; sleep 3; done`,
    )
    await expect.poll(latest, patience).toMatchObject({ state: { kind: 'live' }, figures: { memory: null } })
    await leave()
  })

  test('lies are within bounds', async () => {
    const lie = JSON.stringify({
      ...{ version: '1', uptime: '1.0 1.0', cores: '-5', quota: '9 0', use: 'cpu x', memory: '1e99' },
      ...{ network: 'eth0: 99999999999999999999 1', disks: '/dev/a 9 9 9 900% /' },
      nvidia: `${'9'.repeat(40)}, , ${'x'.repeat(9_000)}, 900, -1, 0, 1, 1, 1, 1\n`.repeat(20),
    })
    const { latest, leave } = await shownInstance(`cat <<'END'\n${lie}\nEND\nexec sleep 100`)
    await expect.poll(latest, patience).toMatchObject({ state: { kind: 'live' } })
    expect(latest()?.figures).toMatchObject({ cores: null, memory: null, gpus: { kind: 'failed' } })
    const { gpus } = latest()?.figures ?? {}
    expect(gpus?.kind === 'failed' && gpus.says.length).toBeLessThanOrEqual(120)
    await leave()
  })

  test('one that says nothing, time and again, is said to', async () => {
    const { latest, leave } = await shownInstance('exit 0')
    await expect.poll(latest, patience).toMatchObject({ state: { kind: 'failed', why: 'nothing-said' } })
    await leave()
  })
})
