import { execFile, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { mayMountDisks } from '../../support/small-disk.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openTerminal } from './guard-terminal.ts'
import { actingService, instanceWith, orderOf, shells, terminal, tools } from './guard-script.ts'

const hour = { SLIPWAY_POSTPONE: '3600' }

describe.each(shells)('%s', (shell) => {
  test.each(shell === 'dash' ? tools : (['curl'] as const))(
    'says how it stands while the service cannot be reached (%s), and acts when it can',
    async (tool) => {
      const service = await actingService()
      const { run, rule } = await instanceWith(shell, tool)
      await run('arm', orderOf(service.api, ['a stop after 8 -']))
      service.close()
      await waitFor(async () => expect(await rule()).toMatchObject({ phase: 'acting', answer: 0 }))
      await waitFor(async () => expect((await rule())?.tries).toBeGreaterThan(0))
      const again = await actingService(service.port)
      await waitFor(async () => expect(await rule()).toMatchObject({ phase: 'done', answer: 200 }))
      expect(again.requests).toHaveLength(1)
    },
  )

  test('what was ordered before the instance started again counts no more', async () => {
    const { api, changes } = await actingService()
    const { run, startAgain } = await instanceWith(shell, 'curl')
    await run('arm', orderOf(api, ['b destroy after 600 -'], { owner: 'desktop' }))
    await startAgain()
    expect(await run('state')).toMatchObject({ armed: false, why: 'not-armed' })
    const { orders, rules } = await run('arm', orderOf(api, ['a stop after 600 -']))
    expect({ orders, rules }).toMatchObject({ orders: [{ owner: 'laptop' }], rules: [{ id: 'a' }] })
    expect(changes()).toEqual([])
  })

  test.skipIf(!mayMountDisks)('a container that starts again is known by its first process', async () => {
    const { api } = await actingService()
    const { folder, env, home } = await instanceWith(shell, 'curl')
    const order = join(home, 'order')
    const armIn = async (content: string) => {
      await writeFile(order, content)
      const command = `sh "${folder}/guard.sh" arm <"${order}"`
      const args = ['--pid', '--fork', '--mount-proc', '--kill-child', '/bin/sh', '-c', `${command}; :`]
      const { stdout } = await promisify(execFile)('/usr/bin/unshare', args, { env })
      return JSON.parse(stdout) as { readonly orders: readonly unknown[] }
    }
    expect((await armIn(orderOf(api, ['b stop after 600 -'], { owner: 'desktop' }))).orders).toHaveLength(1)
    expect((await armIn(orderOf(api, ['a stop after 600 -']))).orders).toMatchObject([{ owner: 'laptop' }])
  })

  test('a postponement outlives what is ordered next, and the watcher', async () => {
    const { api, changes } = await actingService()
    const { run, rule, folder, endWatcher } = await instanceWith(shell, 'curl')
    await run('arm', orderOf(api, ['a stop after 30 -']), { SLIPWAY_WARNING: '28' })
    await waitFor(async () => expect(await rule()).toMatchObject({ phase: 'warned' }))
    await writeFile(join(folder, 'keep'), '')
    const isPostponed = async () =>
      expect(await rule()).toMatchObject({ phase: 'waiting', left: expect.closeTo(3_590, -2) as number })
    await waitFor(isPostponed)
    await run('arm', orderOf(api, ['a stop after 1 -', 'b stop after 900 -'], { revision: 'r2' }))
    await isPostponed()
    await endWatcher()
    await run('arm', orderOf(api, ['a stop after 1 -'], { revision: 'r3' }))
    await isPostponed()
    expect(changes()).toEqual([])
  })

  test('what was missed is done after a whole warning, which is given once', async () => {
    const { api, changes } = await actingService()
    const { run, rule, terminals } = await instanceWith(shell, 'curl')
    await writeFile(join(terminals, terminal), '')
    const warning = { SLIPWAY_WARNING: '15' }
    await run('arm', orderOf(api, ['a stop after 1 -']), warning)
    const first = await rule()
    expect(first).toMatchObject({ phase: 'warned' })
    expect(first?.left).toBeGreaterThan(3)
    await run('arm', orderOf(api, ['a stop after 1 -'], { revision: 'r2' }), warning)
    expect(changes()).toEqual([])
    const second = await rule()
    expect(second).toMatchObject({ phase: 'warned' })
    expect(second?.left).toBeGreaterThan(0)
    expect(second?.left).toBeLessThan(Number(first?.left))
    await waitFor(() => expect(changes()).toHaveLength(1))
    expect((await readFile(join(terminals, terminal), 'utf8')).match(/stops itself/g)).toHaveLength(1)
  })

  test('two rules that are warned of are postponed together by the file “keep”', async () => {
    const { api, changes } = await actingService()
    const { run, folder, toldState } = await instanceWith(shell, 'curl')
    await run('arm', orderOf(api, ['a stop after 30 -', 'b destroy after 31 -']), { SLIPWAY_WARNING: '28' })
    const rules = async () => (await toldState()).rules
    const warned = { phase: 'warned' }
    await waitFor(async () => expect(await rules()).toMatchObject([warned, warned]))
    await writeFile(join(folder, 'keep'), '')
    const postponed = { phase: 'waiting', left: expect.closeTo(3_590, -2) as number }
    await waitFor(async () => expect(await rules()).toMatchObject([postponed, postponed]))
    await expect(readFile(join(folder, 'keep'))).rejects.toThrow('ENOENT')
    expect(changes()).toEqual([])
  })

  test('a key pressed in a terminal postpones all that is warned of; opening and closing one does not', async () => {
    const { api, changes } = await actingService()
    const { run, terminals, toldState } = await instanceWith(shell, 'curl')
    const terminal = await openTerminal(terminals)
    const other = await openTerminal(terminals)
    const order = orderOf(api, ['a stop after 1 -', 'b destroy after 2 -'])
    await run('arm', order, { SLIPWAY_WARNING: '40', ...hour })
    const rules = async () => (await toldState()).rules
    const warned = [{ phase: 'warned' }, { phase: 'warned' }]
    expect(await rules()).toMatchObject(warned)
    await other.close()
    await openTerminal(terminals)
    const { uptime } = await run('state')
    await waitFor(async () => expect((await toldState()).uptime).toBeGreaterThan(uptime + 2))
    expect(await rules()).toMatchObject(warned)
    // The system notes keys to 8 seconds.
    await waitFor(
      async () => {
        await terminal.press()
        expect(await rules()).toMatchObject([{ phase: 'waiting' }, { phase: 'waiting' }])
      },
      { intervalMs: 1_000 },
    )
    expect(terminal.shown()).toContain('stops itself')
    expect(changes()).toEqual([])
  })
})

test('what was carried out is told, and isn’t carried out again, also after a restart and a disarm', async () => {
  const { api, changes } = await actingService()
  const { run, rule, startAgain } = await instanceWith('dash', 'curl')
  const order = orderOf(api, ['a stop after 1 -'])
  await run('arm', order)
  await waitFor(async () => expect(await rule()).toMatchObject({ phase: 'done' }))
  await startAgain()
  const acted = [{ owner: 'laptop', id: 'a', action: 'stop' }]
  expect(await run('state')).toMatchObject({ armed: false, why: 'not-armed', acted })
  expect(await run('arm', order)).toMatchObject({
    armed: true,
    orders: [{ revision: 'r1' }],
    rules: [],
    acted,
  })
  expect(await run('disarm')).toMatchObject({ armed: false, why: 'not-armed', acted })
  expect(await run('arm', order)).toMatchObject({ rules: [], acted })
  // Another computer's rule of the same name is another rule.
  const others = await run('arm', orderOf(api, ['a stop after 600 -'], { owner: 'desktop' }))
  expect(others.rules).toMatchObject([{ owner: 'desktop', id: 'a' }])
  expect(changes()).toHaveLength(1)
})

test('what was begun and refused is not carried out: it is taken up again in the next run, after a warning', async () => {
  const { api, answers } = await actingService()
  const { run, rule, startAgain } = await instanceWith('dash', 'curl')
  answers.act = { status: 503 }
  const order = orderOf(api, ['a destroy after 1 -'])
  await run('arm', order)
  await waitFor(async () => expect(await rule()).toMatchObject({ phase: 'acting', answer: 503 }))
  await startAgain()
  expect(await run('arm', order)).toMatchObject({ rules: [{ id: 'a', phase: 'warned', tries: 0 }] })

  answers.act = { status: 401 }
  await run('arm', orderOf(api, ['b stop after 1 -'], { revision: 'r2' }))
  await waitFor(async () => expect(await rule()).toMatchObject({ phase: 'acting', answer: 401 }))
  expect((await run('state')).acted.filter(({ id }) => id === 'b')).toEqual([])
})

test('what was begun is given up with all that is disarmed, and no deed', async () => {
  const { api, answers } = await actingService()
  const { run, rule } = await instanceWith('dash', 'curl')
  answers.act = { status: 503 }
  await run('arm', orderOf(api, ['a stop after 1 -']))
  await waitFor(async () => expect(await rule()).toMatchObject({ phase: 'acting', answer: 503 }))
  expect((await run('state')).acted).toHaveLength(1)
  expect(await run('disarm')).toMatchObject({ armed: false, why: 'not-armed', acted: [] })
})

test('a rule that has begun to act goes on after what is ordered next', async () => {
  const { api, answers } = await actingService()
  const { run, rule } = await instanceWith('dash', 'curl')
  answers.act = { status: 503 }
  await run('arm', orderOf(api, ['a stop after 1 -']))
  await waitFor(async () => expect(await rule()).toMatchObject({ phase: 'acting', answer: 503 }))
  answers.act = { status: 200 }
  await run('arm', orderOf(api, ['a stop after 1 -', 'b stop after 900 -'], { revision: 'r2' }))
  await waitFor(async () => expect(await rule()).toMatchObject({ id: 'a', phase: 'done' }))
  expect((await run('state')).acted).toMatchObject([{ id: 'a' }])
})

test('the last 20 deeds are told', async () => {
  const { api } = await actingService()
  const { run, toldState } = await instanceWith('dash', 'curl')
  const names = Array.from({ length: 22 }, (_, index) => `n-${index}`)
  await run(
    'arm',
    orderOf(
      api,
      names.map((name) => `${name} stop after 1 1`),
    ),
    { SLIPWAY_WARNING: '1' },
  )
  await waitFor(
    async () => {
      const { acted } = await toldState()
      expect(acted.map(({ id }) => id).toSorted()).toEqual(names.slice(2).toSorted())
    },
    { timeoutMs: 200_000 },
  )
}, 240_000)

test('an instance that is used again after a request that failed waits again, and warns again', async () => {
  const { api, changes, answers } = await actingService()
  const { run, rule, stub, terminals } = await instanceWith('dash', 'curl')
  await writeFile(join(terminals, terminal), '')
  answers.act = { status: 503 }
  await stub('nvidia-smi', 'echo 0')
  await run('arm', orderOf(api, ['a stop idle 3 -']))
  await waitFor(async () => expect(await rule()).toMatchObject({ phase: 'acting', answer: 503 }))
  expect((await run('state')).acted).toHaveLength(1)
  await stub('nvidia-smi', 'echo 99')
  await waitFor(async () => expect(await rule()).toMatchObject({ phase: 'waiting', waits: 'busy-gpu' }))
  expect((await run('state')).acted).toEqual([])
  const { length } = changes()
  answers.act = { status: 200 }
  await stub('nvidia-smi', 'echo 0')
  await waitFor(async () => expect(await rule()).toMatchObject({ phase: 'done', tries: 1 }))
  expect(changes()).toHaveLength(length + 1)
  expect((await readFile(join(terminals, terminal), 'utf8')).match(/stops itself/g)).toHaveLength(2)
})

test('an idle rule that was postponed counts from then', async () => {
  const { api } = await actingService()
  const { run } = await instanceWith('dash', 'curl')
  const { rules } = await run('arm', orderOf(api, ['a stop idle 60 3600']))
  expect(rules).toMatchObject([{ left: expect.closeTo(3_600, -2) as number, elapsed: 0 }])
})

test('a watcher that is dead and not yet buried is no living one', async () => {
  const { api } = await actingService()
  const { run, folder } = await instanceWith('dash', 'curl')
  await run('arm', orderOf(api, ['a stop after 600 -']))
  // Its child ends, and nobody asks for it.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void parent.kill())
  const pid = await new Promise<string>((resolve) =>
    parent.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString().trim())),
  )
  const stat = await waitFor(async () => {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8')
    expect(line).toContain(') Z ')
    return line
  })
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  await writeFile(join(folder, 'lock/pid'), `${pid} ${start}\n`)
  expect(await run('state')).toMatchObject({ armed: true, running: false })
  expect(await run('arm', orderOf(api, ['a stop after 600 -']))).toMatchObject({ armed: true, running: true })
})

test('notes that were damaged count as none, and others hold', async () => {
  const { api, changes } = await actingService()
  const { run, folder, endWatcher } = await instanceWith('dash', 'curl')
  const order = orderOf(api, ['a stop after 600 -', 'b stop after 600 -'])
  await run('arm', order)
  await endWatcher()
  const { uptime } = await run('state')
  const postponed = `laptop b ${uptime + 5_000} 0 waiting 0 0 0 0`
  await writeFile(
    join(folder, 'progress'),
    `laptop a 08 0 done\n\n${postponed}\nlaptop a x y waiting 0 0 0 0\n`,
  )
  const { rules } = await run('arm', order)
  expect(rules).toMatchObject([
    { id: 'a', phase: 'waiting', left: expect.closeTo(600, -2) as number },
    { id: 'b', phase: 'waiting', left: expect.closeTo(5_000, -2) as number },
  ])
  expect(await run('state')).toMatchObject({ running: true })
  expect(changes()).toEqual([])
})

test('half an order is none, and one that is refused changes nothing', async () => {
  const { api } = await actingService()
  const { run, folder } = await instanceWith('dash', 'curl')
  await run('arm', orderOf(api, ['a stop after 600 -']))
  const before = await readFile(join(folder, 'key'), 'utf8')
  const rest = { revision: 'r2' }
  const half = orderOf(api, ['a stop after 600 -', 'b stop after 700 -'], rest).replace('end\n', '')
  const orders = [
    [half, 'bad-order'],
    [half.replace('rule=b stop after 700 0 300\n', ''), 'bad-order'],
    [orderOf(api, ['a stop after 0600 -'], rest), 'bad-order'],
    [orderOf(api, ['a stop after soon -'], rest), 'bad-order'],
    [orderOf(api, ['a" stop after 600 -'], rest), 'bad-order'],
    [orderOf('http://127.0.0.1:9/api/v0', ['b stop after 600 -'], { ...rest, key: 'another' }), 'no-service'],
  ] as const
  for (const [order, why] of orders) expect(await run('arm', order)).toMatchObject({ armed: false, why })
  expect(await run('state')).toMatchObject({
    ...{ armed: true, running: true, orders: [{ revision: 'r1' }], rules: [{ id: 'a' }] },
  })
  expect(await readFile(join(folder, 'key'), 'utf8')).toBe(before)
})

test('the address may be one of IPv6', async () => {
  const { run } = await instanceWith('dash', 'curl')
  const order = orderOf('http://[::1]:9/api/v0', ['a stop after 600 -'])
  expect(await run('arm', order)).toMatchObject({ armed: false, why: 'no-service' })
})
