import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { speedLimits, type SpeedTestView } from '#domain/figures/speed-test.ts'
import { firstOf } from '../accounts/program.ts'
import { trustHost } from '../guards/guarded-instance.ts'
import { checkedInstance, connectionKind, patience } from './checked-instance.ts'

async function testedInstance() {
  const all = await checkedInstance()
  const { client, instanceId, home } = all
  const view = (isWanted: (one: SpeedTestView) => boolean): Promise<SpeedTestView> =>
    firstOf((_, options) => client.figures.speed.watch({ instanceId }, options), isWanted)
  return {
    ...{ ...all, view },
    begin: async () => {
      await client.figures.speed.start({ instanceId })
      await trustHost(client, instanceId)
    },
    writes: () => view(({ state }) => state.kind === 'running' && state.part === 'disk' && state.bytes > 0),
    ended: () => view(({ state }) => state.kind !== 'running'),
    left: async () => (await readdir(home)).filter((name) => name.includes('slipway-speed')),
  }
}

test('disk and connection are measured, and their speeds kept', async () => {
  const { client, main, start, instanceId, begin, ended, left } = await testedInstance()
  await begin()
  const { result, state } = await ended()
  expect(state).toEqual({ kind: 'idle' })
  const atMost = (bytes: unknown, most: number): void => expect(bytes).toBeLessThanOrEqual(most)
  for (const part of ['disk', 'down', 'up'] as const) {
    const outcome = result?.[part]
    if (outcome?.kind !== 'measured') throw new Error(`${part}: ${JSON.stringify(outcome)}`)
    expect(outcome.bytesPerSecond, part).toBeGreaterThan(1e5)
    atMost(
      outcome.bytes,
      part === 'disk' ? speedLimits.diskMebibytes * 1024 * 1024 : speedLimits.networkBytes,
    )
    expect(outcome.bytes, part).toBeGreaterThan(1e6)
  }
  expect(await left()).toEqual([])
  await expect.poll(() => connectionKind(client), patience).toBe('idle')
  await main.app.dispose()
  const { client: next } = (await start()).window()
  const watch = (_: undefined, options: { readonly signal: AbortSignal }) =>
    next.figures.speed.watch({ instanceId }, options)
  expect((await firstOf(watch, (one) => one.result !== null)).result).toEqual(result)
})

test('canceled, or with its link cut, a test leaves nothing, and says so', async () => {
  const { service, client, instanceId, begin, writes, ended, left, setProgram } = await testedInstance()
  // Whatever the disk, it lasts longer than it takes to be seen.
  await setProgram('dd', 'sleep 0.1; exec /bin/dd "$@"')
  await begin()
  await writes()
  const [canceled] = await Promise.all([ended(), client.figures.speed.cancel({ instanceId })])
  expect(canceled).toEqual({ result: null, state: { kind: 'canceled', isLeft: false } })
  expect(await left()).toEqual([])

  await client.figures.speed.start({ instanceId })
  await writes()
  await service.instances.setSshd(instanceId, 'down')
  expect((await ended()).state).toEqual({ kind: 'failed', failure: { kind: 'link-lost' }, part: 'disk' })
  expect(await left()).toEqual([])
})

describe('of an instance that means ill', () => {
  test('what it says is within bounds, and what it sends too much of counts for nothing', async () => {
    const { begin, ended, setProgram } = await testedInstance()
    await setProgram(
      'sh',
      `[ "$1" = -s ] || exec /bin/sh "$@"\nprintf 'room 5 fsync\\nwritten 999999999999 1\\nwritten 5 0\\n'; yes | head -c 3000000`,
    )
    await setProgram(
      'dd',
      `case $* in *of=/dev/null*) echo '9000000 bytes taken' >&2 ;; *) exec head -c 300000000 /dev/zero ;; esac`,
    )
    await begin()
    const { result, state } = await ended()
    expect(state).toEqual({ kind: 'idle' })
    expect(result?.disk).toEqual({ kind: 'unmeasured' })
    expect(result?.up).toEqual({ kind: 'unmeasured' })
    expect(result?.down).toEqual({ kind: 'unmeasured' })
  })
  test('a flood of what it complains of ends that part', async () => {
    const { begin, ended, setProgram } = await testedInstance()
    await setProgram('sh', `[ "$1" = -s ] || exec /bin/sh "$@"\necho 'refused no-proc'`)
    await setProgram('dd', `case $* in *of=/dev/null*) exit 1 ;; *) exec yes >&2 ;; esac`)
    await begin()
    const begun = Date.now()
    expect((await ended()).result?.down).toEqual({ kind: 'unmeasured' })
    expect(Date.now() - begun).toBeLessThan(speedLimits.seconds * 1000 - 3_000)
  })
})
