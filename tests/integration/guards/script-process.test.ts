import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { waitFor } from '../../support/wait-for.ts'
import { actingService, instanceWith, orderOf, shells } from './guard-script.ts'

/** Of this test alone: others run beside it. */
const uniqueName = () => `train-${randomUUID()}.py`

/** Runs until it's ended. Resolves with its end. */
function run(program: string, args: readonly string[]) {
  const child = spawn(program, args, { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return async (): Promise<void> => {
    child.kill()
    await once(child, 'exit')
  }
}

describe.each(shells)('%s', (shell) => {
  test('waits for a process to start, acts some time after it ended, and not while it runs again', async () => {
    const { api, changes } = await actingService()
    const { rule, ...instance } = await instanceWith(shell, 'curl')
    const name = uniqueName()
    await symlink('/bin/sleep', join(instance.home, name))
    await instance.run('arm', orderOf(api, [`a stop process 12 - ${name}`]), { SLIPWAY_WARNING: '6' })
    await waitFor(async () => expect(await rule()).toMatchObject({ waits: 'process-unseen', left: 12 }))

    const end = run(join(instance.home, name), ['60'])
    await waitFor(async () => expect(await rule()).toMatchObject({ waits: 'process', left: 12 }))
    await end()
    await waitFor(async () => expect(await rule()).toMatchObject({ waits: '', phase: 'warned' }))
    const endAgain = run(join(instance.home, name), ['60'])
    await waitFor(async () => expect(await rule()).toMatchObject({ waits: 'process', phase: 'waiting' }))
    expect(changes()).toEqual([])
    await endAgain()
    await waitFor(async () => expect(await rule()).toMatchObject({ phase: 'done', answer: 200 }))
    expect(changes()).toEqual(['PUT /api/v0/instances/5/ {"state":"stopped"} 200'])
  })
})

test('what ended is remembered by the next watcher', async () => {
  const { api } = await actingService()
  const { rule, ...instance } = await instanceWith('dash', 'curl')
  const name = uniqueName()
  const order = (revision: string) => orderOf(api, [`a stop process 600 - ${name}`], { revision })
  await instance.run('arm', order('r1'))
  const end = run('/bin/sh', ['-c', 'sleep 60; :', name])
  await waitFor(async () => expect(await rule()).toMatchObject({ waits: 'process' }))
  await end()
  await waitFor(async () => expect(await rule()).toMatchObject({ waits: '' }))
  const { rules } = await instance.run('arm', order('r2'))
  expect(rules).toMatchObject([{ waits: '', phase: 'waiting' }])
})
test.each([
  ['its program', (name: string) => [`/tmp/${name}`], 'process'],
  ['an argument', (name: string) => ['sh', name], 'process'],
  ['the last part of a path', (name: string) => ['sh', `src/${name}`], 'process'],
  ['a part of a name', (name: string) => ['sh', `my-${name}`], 'process-unseen'],
  ['a part of an argument', (name: string) => ['sh', `echo ${name} now`], 'process-unseen'],
] as const)('a process is known by %s', async (_, argumentsOf, waits) => {
  const { api } = await actingService()
  const { rule, ...instance } = await instanceWith('dash', 'curl')
  const name = uniqueName()
  const [argv0, ...others] = argumentsOf(name)
  const child = spawn('/bin/sh', ['-c', 'sleep 60; :', ...others], { argv0, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await instance.run('arm', orderOf(api, [`a stop process 6 - ${name}`]))
  await waitFor(async () => expect(await rule()).toMatchObject({ waits }))
})

test.each([
  ['that cannot be read', 'cat', 'exit 124'],
  ['that nothing sorts out', 'awk', 'exit 2'],
])('a list of processes %s counts as one that has it', async (_, program, lines) => {
  const { api, changes } = await actingService()
  const { rule, ...instance } = await instanceWith('dash', 'curl')
  const name = uniqueName()
  await symlink('/bin/sleep', join(instance.home, name))
  const end = run(join(instance.home, name), ['60'])
  await instance.run('arm', orderOf(api, [`a stop process 3 - ${name}`]))
  await waitFor(async () => expect(await rule()).toMatchObject({ waits: 'process' }))
  // The rest of the script goes on to use it.
  const usual = program === 'cat' ? 'case $* in */cmdline*) ;; *) exec /bin/cat "$@" ;; esac' : ''
  await instance.stub(program, `${usual}\n${lines}`)
  await end()
  await waitFor(async () => expect(await rule()).toMatchObject({ waits: 'unmeasured-process', left: 3 }))
  expect(changes()).toEqual([])
})

test('processes whose listing hangs hold up no other rule, and count as one that has it', async () => {
  const { api, changes } = await actingService()
  const instance = await instanceWith('dash', 'curl')
  const hang = `trap '' TERM HUP INT\nfor _ in 0 1 2 3; do /bin/sleep 10; done`
  await instance.stub('cat', `case $* in */cmdline*) ;; *) exec /bin/cat "$@" ;; esac\n${hang}`)
  const rules = ['a destroy after 12 -', `b stop process 3 - ${uniqueName()}`]
  const armed = await instance.run('arm', orderOf(api, rules))
  expect(armed.rules).toMatchObject([{ id: 'a' }, { id: 'b', waits: 'unmeasured-process' }])
  await waitFor(() => expect(changes()).toHaveLength(1))
  expect(changes()[0]).toContain('DELETE')
})

test.each(['', 'a b', '*'])('a name that is none is refused: “%s”', async (name) => {
  const { api } = await actingService()
  const { run: ask } = await instanceWith('dash', 'curl')
  expect(await ask('arm', orderOf(api, [`a stop process 600 - ${name}`]))).toMatchObject({ why: 'bad-order' })
})
