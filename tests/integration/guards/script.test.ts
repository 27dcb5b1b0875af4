import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { scriptVersion } from '#services/guards/on-instance/script-order.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  actingService,
  instanceWith,
  orderOf,
  script,
  shells,
  terminal,
  tools,
  watchersIn,
} from './guard-script.ts'

const put = 'PUT /api/v0/instances/5/ {"state":"stopped"} 200'
/** With a key that is made up, and with its own. */
const checks = ['GET /api/v0/instances/5/  401', 'GET /api/v0/instances/5/  403']

test('shellcheck finds nothing in the script', async () => {
  const file = join(await temporaryFolder(), 'guard.sh')
  await writeFile(file, script)
  await promisify(execFile)('shellcheck', ['--norc', '--shell=sh', file])
})

test('what watches and acts has fewer than 250 lines of code, and what it measures by about a hundred', async () => {
  const linesOf = async (name: string): Promise<number> => {
    const text = await readFile(join(import.meta.dirname, '../../../resources/machine', name), 'utf8')
    return text.split('\n').filter((line) => !/^\s*(#|$)/.test(line)).length
  }
  expect(await linesOf('guard.sh')).toBeLessThan(250)
  expect((await linesOf('common.sh')) + (await linesOf('usage.sh'))).toBeLessThan(110)
})

/** What a tool for GPUs prints, and what that means. */
const gpus = [
  ['busy', 'echo 80', 'busy-gpu'],
  ['failing', 'exit 9', 'unmeasured'],
  ['talking nonsense', 'echo "[N/A]"', 'unmeasured'],
  ['silent', ':', 'unmeasured'],
] as const

describe.each(shells)('%s', (shell) => {
  test.each(shell === 'dash' ? tools : (['curl'] as const))(
    'stops the instance in time by %s alone, with its own key',
    async (tool) => {
      const { api, requests } = await actingService()
      const { run, toldState } = await instanceWith(shell, tool)
      expect(await run('arm', orderOf(api, ['a stop after 3 -']))).toMatchObject({
        ...{ armed: true, running: true, version: scriptVersion, proven: true },
        ...{ orders: [{ owner: 'laptop', revision: 'r1' }], rules: [{ id: 'a' }] },
      })
      await waitFor(() => expect(requests).toEqual([...checks, put]))
      await waitFor(async () =>
        expect((await toldState()).rules).toMatchObject([{ phase: 'done', answer: 200 }]),
      )
      const [deed] = (await run('state')).acted
      expect(deed).toMatchObject({ owner: 'laptop', id: 'a', action: 'stop' })
      expect(Math.abs(Number(deed?.['at']) - Date.now() / 1000)).toBeLessThan(60)
    },
  )

  test('one watcher, however often it is armed; none when it is disarmed', async () => {
    const { api } = await actingService()
    const { run, folder } = await instanceWith(shell, 'curl')
    const order = orderOf(api, ['a stop after 600 -'])
    await Promise.all([run('arm', order), run('arm', order), run('arm', order)])
    await waitFor(async () => expect(await run('state')).toMatchObject({ armed: true, running: true }))
    await waitFor(async () => expect(await watchersIn(folder)).toHaveLength(1))
    expect(await run('arm', orderOf(api, []))).toMatchObject({ armed: false, why: 'not-armed' })
    await waitFor(async () => expect(await watchersIn(folder)).toEqual([]))
  })

  test('keeps what another computer gave it, and takes back only its own', async () => {
    const { api } = await actingService()
    const { run } = await instanceWith(shell, 'curl')
    await run('arm', orderOf(api, ['a stop after 600 -']))
    const both = await run('arm', orderOf(api, ['b stop after 700 -'], { owner: 'desktop' }))
    expect(both.rules.map(({ id }) => id).toSorted()).toEqual(['a', 'b'])
    const left = await run('arm', orderOf(api, [], { owner: 'laptop' }))
    expect(left).toMatchObject({ armed: true, orders: [{ owner: 'desktop' }], rules: [{ id: 'b' }] })
  })

  test.each(gpus.slice(0, shell === 'dash' ? gpus.length : 1))(
    'a GPU that is %s is no idle one',
    async (_, lines, waits) => {
      const { api, requests } = await actingService()
      const { run, stub, toldState } = await instanceWith(shell, 'curl')
      await stub('nvidia-smi', lines)
      await run('arm', orderOf(api, ['a stop idle 2 -']))
      await waitFor(async () => expect((await toldState()).rules).toMatchObject([{ waits }]))
      const { uptime } = await run('state')
      // It has looked again after the rule's time.
      await waitFor(async () => expect((await toldState()).uptime).toBeGreaterThan(uptime + 3))
      expect(requests).toEqual(checks)
      await stub('nvidia-smi', 'echo 0; echo 4')
      await waitFor(() => expect(requests).toEqual([...checks, put]))
    },
  )

  test('warns before it acts; the file “keep” postpones it', async () => {
    const { api, requests } = await actingService()
    const { run, rule, folder, terminals } = await instanceWith(shell, 'curl')
    await writeFile(join(terminals, terminal), '')
    await run('arm', orderOf(api, ['a stop after 30 -']), { SLIPWAY_WARNING: '28' })
    const warned = () => readFile(join(terminals, terminal), 'utf8')
    await waitFor(async () => expect(await warned()).toContain('this instance stops itself in 1 min'))
    await writeFile(join(folder, 'keep'), '')
    await waitFor(async () => expect((await rule())?.left).toBeGreaterThan(3_500))
    expect(requests).toEqual(checks)
  })

  test('goes on although its script is deleted', async () => {
    const { api, requests } = await actingService()
    const { run, folder } = await instanceWith(shell, 'curl')
    await run('arm', orderOf(api, ['a stop after 3 -']))
    await rm(join(folder, 'guard.sh'))
    await waitFor(() => expect(requests).toEqual([...checks, put]))
  })

  test.each([
    ['no-tool', null, {}],
    ['no-key', 'curl', { key: '' }],
    ['bad-order', 'curl', { owner: 'lap"top' }],
  ] as const)('is not armed, and says why: %s', async (why, tool, order) => {
    const { api, requests } = await actingService()
    const { run, folder } = await instanceWith(shell, tool)
    expect(await run('arm', orderOf(api, ['a stop after 1 -'], order))).toMatchObject({ armed: false, why })
    expect(await watchersIn(folder)).toEqual([])
    expect(requests.filter((each) => !each.startsWith('GET'))).toEqual([])
  })

  test('is not armed where the service is not reached', async () => {
    const { run } = await instanceWith(shell, 'curl')
    const order = orderOf('http://127.0.0.1:9/api/v0', ['a stop after 1 -'])
    expect(await run('arm', order)).toMatchObject({ armed: false, why: 'no-service' })
  })

  test('takes the key of its own environment, which no file but its own then holds', async () => {
    const { api } = await actingService()
    const { run, folder } = await instanceWith(shell, 'curl')
    const begun = join(folder, 'guard.sh')
    const environment = { CONTAINER_API_KEY: 'key-of-5' }
    const order = orderOf(api, ['a stop after 600 -'], { key: '' })
    expect(await run('arm', order, environment)).toMatchObject({ armed: true })
    const { stdout } = await promisify(execFile)('find', [
      folder,
      '-type',
      'f',
      '-perm',
      '/077',
      '-newer',
      begun,
    ])
    expect(stdout.split('\n').filter((each) => each !== '' && !each.endsWith('guard.sh'))).toEqual([])
  })
})

test('repeats what the service did not accept', async () => {
  const { api, requests, answers } = await actingService()
  const { run } = await instanceWith('dash', 'curl')
  answers.act = { status: 503 }
  await run('arm', orderOf(api, ['a destroy after 1 -']))
  await waitFor(() => expect(requests.at(-1)).toBe('DELETE /api/v0/instances/5/  503'))
  answers.act = { status: 200 }
  await waitFor(() => expect(requests.at(-1)).toBe('DELETE /api/v0/instances/5/  200'))
})

test('a lock of a process that has gone is taken over', async () => {
  const { api } = await actingService()
  const { run, folder } = await instanceWith('dash', 'curl')
  await mkdir(join(folder, 'lock'))
  await writeFile(join(folder, 'lock', 'pid'), '999999 12345\n')
  expect(await run('arm', orderOf(api, ['a stop after 600 -']))).toMatchObject({ armed: true, running: true })
})
