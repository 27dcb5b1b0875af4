import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { setNvidiaSmi } from '../../e2e/support/nvidia-smi.ts'
import { trustHost } from '../guards/guarded-instance.ts'
import { checkedInstance, checkOf, connectionKind, patience } from './checked-instance.ts'

test('the first login looks once whether the instance has what was offered, which is kept', async () => {
  const { client, instanceId, home, main, start, verdicts } = await checkedInstance()
  // Nobody has connected: neither does the check.
  expect(await checkOf(client, instanceId)).toEqual({ check: null, accepted: [], state: { kind: 'idle' } })
  expect(await connectionKind(client)).toBeUndefined()
  await client.runs.start({
    instanceIds: [instanceId],
    command: 'while [ ! -e checked ]; do sleep 0.1; done',
  })
  await trustHost(client, instanceId)
  const { check } = await checkOf(client, instanceId, (view) => view.check !== null)
  await writeFile(join(home, 'checked'), '')
  expect(await verdicts()).toEqual({
    ...{ gpus: 'unknown', model: 'unknown', gpuMemory: 'unknown' },
    ...{ cores: 'as-offered', memory: 'as-offered', disk: 'as-offered' },
  })
  expect(check?.gpuTool).toBe('missing')
  await expect.poll(() => connectionKind(client), patience).toBe('idle')
  await main.app.dispose()

  const { client: next } = (await start()).window()
  expect((await checkOf(next, instanceId, (view) => view.check !== null)).check).toEqual(check)
  // Another login is no first one, and the user may have it repeated.
  await next.runs.start({ instanceIds: [instanceId], command: 'sleep 4' })
  await expect.poll(() => connectionKind(next), patience).toBe('open')
  await expect.poll(() => connectionKind(next), patience).toBe('idle')
  expect((await checkOf(next, instanceId)).check?.at).toBe(check?.at)
  await next.figures.check.run({ instanceId })
  const isNewer = (view: { check: { at: number } | null }) => (view.check?.at ?? 0) > (check?.at ?? 0)
  expect((await checkOf(next, instanceId, isNewer)).state.kind).toBe('idle')
})

test('a GPU that lacks is a difference, until the user accepts it', async () => {
  const { client, instanceId, home, record, verdicts } = await checkedInstance()
  const { num_gpus: count, gpu_name: name, gpu_ram: memory } = await record()
  const list = Array.from(
    { length: Number(count) },
    (_, index) =>
      `'${index}, GPU-${index}, NVIDIA ${String(name)}, 0, 0, ${String(memory)}, 50, 90, 450, 1200'`,
  )
  await setNvidiaSmi(home, 'exit 6')
  await client.figures.check.run({ instanceId })
  await trustHost(client, instanceId)
  await expect.poll(verdicts, patience).toMatchObject({ gpus: 'differs' })
  await client.figures.check.accept({ instanceId })
  expect((await checkOf(client, instanceId)).accepted).toEqual(['gpus'])

  await setNvidiaSmi(home, `printf '%s\\n' ${list.join(' ')}`)
  await client.figures.check.run({ instanceId })
  const seen = { gpus: 'as-offered', model: 'as-offered', gpuMemory: 'as-offered' }
  await expect.poll(verdicts, patience).toMatchObject(seen)
})

describe('of an instance that means ill', () => {
  test('a flood of what is no line counts as no answer, and lies are within bounds', async () => {
    const { client, instanceId, setProgram, verdicts } = await checkedInstance()
    await setProgram('sh', 'head -c 9000000 /dev/zero')
    await client.figures.check.run({ instanceId })
    await trustHost(client, instanceId)
    const failed = { kind: 'failed', failure: { kind: 'nothing-said' } }
    expect(await checkOf(client, instanceId, ({ state }) => state.kind === 'failed')).toMatchObject({
      state: failed,
      check: null,
    })

    const lie = JSON.stringify({
      ...{
        version: '1',
        uptime: '1.0 1.0',
        cores: '1e9',
        quota: '',
        machine: `MemTotal: ${'9'.repeat(40)} kB`,
      },
      ...{ disks: `/dev/a ${'9'.repeat(30)} 9 9 90% /` },
      nvidia: `0, GPU-0, ${'x'.repeat(9_000)}, 900, -1, 0, 1, 1, 1, 1\n`.repeat(20),
    })
    // And it goes on with it.
    await setProgram('sh', `cat <<'END'\n${lie}\nEND\nexec yes`)
    await client.figures.check.run({ instanceId })
    const { check } = await checkOf(client, instanceId, (view) => view.check !== null)
    expect(await verdicts()).toMatchObject({ cores: 'unknown', memory: 'unknown', disk: 'unknown' })
    expect(JSON.stringify(check).length).toBeLessThan(2_000)
  })

  test('one that says nothing while its link is cut, or Slipway ends, holds up nobody', async () => {
    const { service, client, instanceId, setProgram, main } = await checkedInstance()
    await setProgram('sh', 'exec sleep 1000')
    await client.figures.check.run({ instanceId })
    await trustHost(client, instanceId)
    await expect.poll(() => connectionKind(client), patience).toBe('open')
    await service.instances.setSshd(instanceId, 'down')
    const { state } = await checkOf(client, instanceId, (view) => view.state.kind === 'failed')
    expect(state).toEqual({ kind: 'failed', failure: { kind: 'link-lost' } })
    await service.instances.setSshd(instanceId, 'up')
    await client.figures.check.run({ instanceId })
    await expect.poll(() => connectionKind(client), patience).toBe('open')
    const begun = Date.now()
    await main.app.dispose()
    expect(Date.now() - begun).toBeLessThan(10_000)
  })
})
