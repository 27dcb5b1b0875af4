import { execFile, spawn } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readAnswer } from '#services/guards/on-instance/script-answer.ts'
import { executionOf, type ScriptCommand } from '#services/guards/on-instance/script-command.ts'
import { mayMountDisks, mountSmallDisk } from '../../support/small-disk.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { actingService, instanceWith, orderOf, script, shells, watchersIn } from './guard-script.ts'

const run = promisify(execFile)
const rules = ['a stop after 600 -']

/** The shells that users log in by. */
const loginShells = { dash: ['dash'], bash: ['bash'], busybox: ['busybox', 'sh'], fish: ['fish'] } as const
type LoginShell = keyof typeof loginShells

/** An instance as Slipway comes to it over SSH: what its command answers. */
async function login(
  shell: LoginShell,
  places: { readonly HOME: string; readonly TMPDIR?: string },
  root: string,
) {
  const [program, ...args] = loginShells[shell]
  const ask = async (command: ScriptCommand) => {
    const { command: line, input = '' } = executionOf(command)
    const child = spawn(program, [...args, '-c', line], {
      env: { PATH: String(process.env['PATH']), ...places, SLIPWAY_ROOT: root, SLIPWAY_TICK: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    return readAnswer((await text(child.stdout)).trim())
  }
  return {
    state: () => ask({ kind: 'state' }),
    disarm: () => ask({ kind: 'disarm' }),
    arm: (order: string) => ask({ kind: 'arm', script, order }),
  }
}

/** No folder can be made there. */
const nowhere = '/proc/none'
const ofUser = `slipway-${process.getuid?.() ?? 0}`

describe.each(['dash', 'bash', 'busybox', 'fish'] as const)('a user who logs in by %s', (shell) => {
  test.each(['home', 'TMPDIR', 'tmp'] as const)(
    'has the script in a folder of their own: %s',
    async (place) => {
      const { api } = await actingService()
      const [own, root] = [await temporaryFolder(), await temporaryFolder()]
      await mkdir(join(root, 'tmp'))
      const { HOME, TMPDIR, folder } = {
        home: { HOME: own, TMPDIR: nowhere, folder: join(own, '.slipway') },
        TMPDIR: { HOME: nowhere, TMPDIR: own, folder: join(own, ofUser) },
        tmp: { HOME: nowhere, TMPDIR: nowhere, folder: join(root, 'tmp', ofUser) },
      }[place]
      const user = await login(shell, { HOME, TMPDIR }, root)
      onTestFinished(async () => {
        await run('sh', [join(folder, 'guard.sh'), 'disarm'])
        await rm(folder, { recursive: true })
      })
      expect(await user.state()).toMatchObject({ armed: false, why: 'not-armed' })
      expect(await user.arm(orderOf(api, rules))).toMatchObject({ armed: true, running: true })
      expect(await user.state()).toMatchObject({ armed: true, running: true, rules: [{ id: 'a' }] })
      expect(await watchersIn(folder)).toHaveLength(1)
      expect((await run('stat', ['-c', '%a', folder])).stdout).toBe('700\n')

      await rm(join(folder, 'guard.sh'))
      expect(await user.state(), 'its script was deleted').toMatchObject({
        ...{ armed: true, running: true, rules: [{ id: 'a' }] },
      })
      await writeFile(join(folder, 'guard.sh'), script)
    },
  )

  test('half a script is none', async () => {
    const { api } = await actingService()
    const HOME = await temporaryFolder()
    const user = await login(shell, { HOME, TMPDIR: HOME }, HOME)
    const { command, input = '' } = executionOf({
      kind: 'arm',
      script: 'echo half',
      order: orderOf(api, rules),
    })
    const [program, ...args] = loginShells[shell]
    const child = spawn(program, [...args, '-c', command], { env: { PATH: process.env['PATH'], HOME } })
    child.stdin.end(input.slice(0, 9))
    expect(await text(child.stdout)).toBe('')
    expect(await readdir(join(HOME, '.slipway'))).toEqual([])
    expect(await user.state()).toMatchObject({ armed: false, why: 'not-armed' })
  })
})

test.skipIf(!mayMountDisks)('a home that can be written to no more leads to no second watcher', async () => {
  const { api } = await actingService()
  const [HOME, TMPDIR] = [await temporaryFolder(), await temporaryFolder()]
  const folder = join(HOME, '.slipway')
  const unmount = await mountSmallDisk(folder, 1)
  onTestFinished(unmount)
  const user = await login('dash', { HOME, TMPDIR }, await temporaryFolder())
  await user.arm(orderOf(api, rules))
  onTestFinished(async () => {
    await run('mount', ['-o', 'remount,rw', folder])
    await run('sh', [join(folder, 'guard.sh'), 'disarm'])
  })
  await run('mount', ['-o', 'remount,ro', folder])
  expect(await user.state()).toMatchObject({ armed: true, running: true, rules: [{ id: 'a' }] })
  expect(await user.arm(orderOf(api, rules, { revision: 'r2' }))).toMatchObject({
    ...{ armed: false, why: 'read-only' },
  })
  expect(await user.state()).toMatchObject({ armed: true, running: true, orders: [{ revision: 'r1' }] })
  expect(await readdir(TMPDIR)).toEqual([])
})

describe.each(shells)('%s', (shell) => {
  test('outlives its login without setsid, too', async () => {
    const { api, changes } = await actingService()
    const instance = await instanceWith(shell, 'curl')
    await rm(join(instance.path, 'setsid'))
    expect(await instance.run('arm', orderOf(api, ['a stop after 3 -']))).toMatchObject({ running: true })
    await waitFor(() => expect(changes()).toHaveLength(1))
  })

  test('disarmed by hand, it goes by the folder of its script', async () => {
    const { api } = await actingService()
    const instance = await instanceWith(shell, 'curl')
    await instance.run('arm', orderOf(api, rules))
    const env = { ...instance.env, HOME: nowhere }
    const sh = join(instance.path, 'sh')
    const { stdout } = await run(sh, ['guard.sh', 'disarm'], { cwd: instance.folder, env })
    expect(JSON.parse(stdout)).toMatchObject({ armed: false, why: 'not-armed' })
    await waitFor(async () => expect(await watchersIn(instance.folder)).toEqual([]))
    expect(await readdir(instance.folder)).toEqual(['guard.sh', 'run'])
  })

  test.skipIf(!mayMountDisks)('a full disk is said, and what was armed stays so', async () => {
    const { api, changes } = await actingService()
    const instance = await instanceWith(shell, 'curl')
    const { folder } = instance
    const unmount = await mountSmallDisk(folder, 1)
    onTestFinished(unmount)
    await writeFile(join(folder, 'guard.sh'), script)
    const fill = () => run('sh', ['-c', `cat /dev/zero >"${folder}/filler" 2>/dev/null; :`])
    await fill()
    const order = orderOf(api, ['a stop after 8 -'])
    expect(await instance.run('arm', order)).toMatchObject({ armed: false, why: 'disk-full' })
    await rm(join(folder, 'filler'))
    expect(await instance.run('arm', order)).toMatchObject({ armed: true, running: true })
    await fill()
    const more = orderOf(api, ['b destroy after 600 -'], { revision: 'r2' })
    expect(await instance.run('arm', more)).toMatchObject({ armed: false, why: 'disk-full' })
    expect(await instance.run('state')).toMatchObject({ running: true, orders: [{ revision: 'r1' }] })
    await waitFor(() => expect(changes()).toEqual(['PUT /api/v0/instances/5/ {"state":"stopped"} 200']))
  })

  test.skipIf(!mayMountDisks)('a folder that cannot be written to is said', async () => {
    const { api } = await actingService()
    const instance = await instanceWith(shell, 'curl')
    const unmount = await mountSmallDisk(instance.folder, 1)
    onTestFinished(unmount)
    await writeFile(join(instance.folder, 'guard.sh'), script)
    await run('mount', ['-o', 'remount,ro', instance.folder])
    const answer = await instance.run('arm', orderOf(api, rules))
    expect(answer).toMatchObject({ armed: false, why: 'read-only' })
    expect(await instance.run('state')).toMatchObject({ armed: false, why: 'not-armed' })
  })

  test.skipIf(!mayMountDisks)('no /proc is said', async () => {
    const instance = await instanceWith(shell, 'curl')
    const empty = join(instance.home, 'empty')
    await mkdir(empty)
    const command = 'mount --bind "$1" /proc && exec "$2" "$3" arm </dev/null'
    const words = [empty, join(instance.path, 'sh'), join(instance.folder, 'guard.sh')]
    const args = ['--mount', '/bin/sh', '-c', `PATH=/bin:/usr/bin; ${command}`, 'sh', ...words]
    const { stdout } = await run('/usr/bin/unshare', args, { env: instance.env })
    expect(JSON.parse(stdout)).toMatchObject({ armed: false, why: 'no-proc' })
  })
})

test('disarmed without its script, it has forgotten all but what it did', async () => {
  const { api, answers } = await actingService()
  answers.act = { status: 503 }
  const HOME = await temporaryFolder()
  const folder = join(HOME, '.slipway')
  const user = await login('dash', { HOME, TMPDIR: HOME }, HOME)
  await user.arm(orderOf(api, ['a destroy after 1 1']))
  await waitFor(async () => expect(await user.state()).toMatchObject({ rules: [{ phase: 'acting' }] }))
  await rm(join(folder, 'guard.sh'))
  expect(await user.disarm()).toMatchObject({ armed: false, why: 'not-armed' })
  await waitFor(async () => expect(await watchersIn(folder)).toEqual([]))
  const left = await readdir(folder)
  expect(left.filter((name) => ['lock', 'orders', 'progress'].includes(name))).toEqual([])
})

test('a script in the folder that another user made is not run', async () => {
  const HOME = await temporaryFolder()
  const elsewhere = await temporaryFolder()
  await writeFile(join(elsewhere, 'guard.sh'), 'echo taken')
  await run('ln', ['-s', elsewhere, join(HOME, '.slipway')])
  const user = await login('dash', { HOME, TMPDIR: HOME }, HOME)
  expect(await user.state()).toMatchObject({ armed: false, why: 'not-armed' })
})
