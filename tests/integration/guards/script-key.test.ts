import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { mayMountDisks } from '../../support/small-disk.ts'
import { waitFor } from '../../support/wait-for.ts'
import { actingService, instanceWith, orderOf, shells, tools } from './guard-script.ts'

const rules = ['a stop after 600 -']
const body = (msg: string) => JSON.stringify({ error: 'auth_error', msg })

describe.each(tools)('%s', (tool) => {
  test.each([
    ['another status', { status: 403 }, { status: 401 }, true],
    ['another reason', { status: 403, body: body('may not') }, { status: 403, body: body('who?') }, true],
    ['what was asked for', { status: 200, body: '{}' }, { status: 401 }, true],
    ['the same', { status: 401, body: body('no') }, { status: 401, body: body('no') }, false],
    ['the same from what is no service', { status: 200, body: 'a' }, { status: 200, body: 'b' }, false],
    ['that it was asked too often', { status: 429 }, { status: 401 }, false],
  ] as const)('a key that is told %s than one that is made up', async (_, get, unknownKey, proven) => {
    const { api, answers } = await actingService()
    Object.assign(answers, { get, unknownKey })
    const { run } = await instanceWith('dash', tool)
    expect(await run('arm', orderOf(api, rules))).toMatchObject({ armed: true, running: true, proven })
    expect(await run('state')).toMatchObject({ proven })
  })

  test.each([301, 404, 407, 500, 503])('what answers %i is no service', async (status) => {
    const { api, answers } = await actingService()
    Object.assign(answers, { get: { status }, unknownKey: { status } })
    const { run } = await instanceWith('dash', tool)
    expect(await run('arm', orderOf(api, rules))).toMatchObject({ armed: false, why: 'no-service' })
  })

  test('no other process shows the key', async () => {
    const seen: string[] = []
    const { api, changes } = await actingService(0, async () => void seen.push(...(await processesOf(home))))
    const { run, home } = await instanceWith('dash', tool)
    await run('arm', orderOf(api, ['a stop after 3 -']), { CONTAINER_API_KEY: 'key-of-5' })
    await waitFor(() => expect(changes()).toHaveLength(1))
    // The login has it in its environment; what it starts hasn't.
    const others = seen.filter((each) => !each.includes('guard.sh\0arm'))
    expect(others.filter((each) => each.includes(api)).length).toBeGreaterThan(1)
    expect(others.filter((each) => each.includes('guard.sh\0watch')).length).toBeGreaterThan(0)
    expect(others.filter((each) => each.includes('key-of-5'))).toEqual([])
  })
})

describe.each(shells)('%s', (shell) => {
  test('where the key from Slipway is refused, the instance’s own is taken', async () => {
    const { api, requests, changes } = await actingService()
    const { run } = await instanceWith(shell, 'curl')
    const order = orderOf(api, ['a stop after 3 -'], { key: 'key-of-6' })
    expect(await run('arm', order, { CONTAINER_API_KEY: 'key-of-5' })).toMatchObject({ proven: true })
    expect(requests.filter((each) => each.startsWith('GET'))).toHaveLength(3)
    await waitFor(() => expect(changes()).toEqual(['PUT /api/v0/instances/5/ {"state":"stopped"} 200']))
  })

  test('the login has none: the first process’s', async () => {
    const { api } = await actingService()
    const { run, root } = await instanceWith(shell, 'curl')
    await mkdir(join(root, 'proc/1'), { recursive: true })
    await writeFile(join(root, 'proc/1/environ'), 'A=b\0CONTAINER_API_KEY=key-of-5\0C=d\0')
    const { proven } = await run('arm', orderOf(api, rules, { key: '' }))
    expect(proven).toBe(true)
  })

  test.skipIf(!mayMountDisks)('the first process’s of a container', async () => {
    const { api } = await actingService()
    const { folder, home, env } = await instanceWith(shell, 'curl')
    await writeFile(join(home, 'order'), orderOf(api, rules, { key: '' }))
    const command = `unset CONTAINER_API_KEY; sh "${folder}/guard.sh" arm <"${home}/order"; :`
    const args = ['--pid', '--fork', '--mount-proc', '--kill-child', '/bin/sh', '-c', command]
    const { stdout } = await promisify(execFile)('/usr/bin/unshare', args, {
      env: { ...env, SLIPWAY_ROOT: '', CONTAINER_API_KEY: 'key-of-5' },
    })
    expect(JSON.parse(stdout)).toMatchObject({ armed: true, running: true, proven: true })
  })
})

test('a key that is refused everywhere is armed, unproven; one that is in use and proven stays', async () => {
  const { api } = await actingService()
  const { run, folder } = await instanceWith('dash', 'curl')
  const order = orderOf(api, rules, { key: 'key-of-6' })
  expect(await run('arm', order)).toMatchObject({ armed: true, proven: false })
  expect(await readFile(join(folder, 'key'), 'utf8')).toContain('key-of-6')
  expect(await run('arm', orderOf(api, rules))).toMatchObject({ proven: true })
  expect(await run('arm', order)).toMatchObject({ proven: true })
  expect(await readFile(join(folder, 'key'), 'utf8')).toContain('key-of-5')
  expect((await readdir(folder)).filter((name) => name.startsWith('key'))).toEqual(['key'])
})

/** Arguments and environment of each process of this instance. */
async function processesOf(home: string): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const texts = ids.map(async (id) => {
    const read = (name: string) => readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '')
    return `${await read('cmdline')}\n${await read('environ')}`
  })
  return (await Promise.all(texts)).filter((each) => each.includes(`HOME=${home}\0`))
}
