import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { isRunning } from '../../support/is-running.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { instanceWith, script, shells, type Instance } from './job-instance.ts'

const run = promisify(execFile)

test('shellcheck finds nothing in the script', async () => {
  const file = join(await temporaryFolder(), 'job.sh')
  await writeFile(file, script)
  await run('shellcheck', ['--norc', '--shell=sh', file])
})

test('it has fewer than 250 lines of code', () => {
  expect(script.split('\n').filter((line) => !/^\s*(#|$)/.test(line)).length).toBeLessThan(250)
})

async function ended({ look }: Instance, jobId: string) {
  return waitFor(async () => {
    const state = await look(jobId)
    expect(state.kind).not.toBe('running')
    return state
  })
}

describe.each(shells)('%s', (shell) => {
  test('runs a command in the project’s folder, and keeps what it wrote and how it ended', async () => {
    const instance = await instanceWith(shell)
    expect(await instance.look('a')).toEqual({ kind: 'none' })
    const command = 'pwd\nprintf "%s\\n" "what\'s" >&2\nread line || echo no input\numask\nexit 37'
    expect(await instance.start('a', command)).toMatchObject({
      kind: expect.stringMatching(/running|exited/) as string,
    })
    const log = `${instance.project}\nwhat's\nno input\n0022\n`
    const bytes = log.length
    expect(await ended(instance, 'a')).toEqual({ kind: 'exited', code: 37, isCanceled: false, bytes })
    expect(await instance.log('a')).toBe(log)
    // Once more says how it stands.
    expect(await instance.start('a', 'echo again')).toEqual({
      ...{ kind: 'exited', code: 37, isCanceled: false, bytes },
    })
    expect((await stat(join(instance.home, '.slipway'))).mode & 0o777).toBe(0o700)
    await instance.forget('a')
    expect(await instance.look('a')).toEqual({ kind: 'none' })
    expect(await readdir(join(instance.home, '.slipway/jobs'))).toEqual([])
  })

  test('a folder is told from the home on', async () => {
    const instance = await instanceWith(shell)
    await mkdir(join(instance.home, "-it's a\nfolder"))
    await instance.start('a', 'pwd', "-it's a\nfolder")
    await ended(instance, 'a')
    expect(await instance.log('a')).toBe(`${instance.home}/-it's a\nfolder\n`)
  })

  test('no other process shows the command, and what it starts takes signals as usual', async () => {
    const instance = await instanceWith(shell)
    await instance.start('a', `: secret-words\nsed -n "/^SigIgn/p" /proc/self/status\nsleep 100`)
    await waitFor(async () => expect(await instance.log('a')).toContain('SigIgn'))
    const { pid } = await instance.runner('a')
    const { stdout } = await run('ps', ['-eo', 'args'])
    expect(stdout).toContain(`${instance.home}/.slipway/jobs/a/job.sh run a`)
    expect(stdout).not.toContain('secret-words')
    expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain('SLIPWAY_RUN')
    // Besides QUIT, which busybox ignores itself.
    expect(await instance.log('a')).toMatch(/^SigIgn:\t0{15}[04]\n$/)
    expect((await stat(join(instance.jobFolder('a'), 'command'))).mode & 0o777).toBe(0o600)
    await instance.cancel('a')
  })

  test('outlives its login, also without setsid', async () => {
    const instance = await instanceWith(shell)
    await rm(join(instance.path, 'setsid'))
    expect(await instance.start('a', 'sleep 5; echo done')).toMatchObject({ kind: 'running' })
    expect(await instance.follow('a')).toEqual(Buffer.from('done\n'))
    expect(await instance.look('a')).toMatchObject({ kind: 'exited', code: 0 })
  })

  test('another job in the same folder is refused while one goes on there', async () => {
    const instance = await instanceWith(shell)
    const { start, cancel, look, home, project } = instance
    await run('ln', ['-s', project, join(home, 'other-name')])
    await start('a', 'sleep 100')
    expect(await start('b', 'true')).toEqual({ kind: 'refused', why: 'busy-folder' })
    expect(await start('b', 'true', 'other-name')).toEqual({ kind: 'refused', why: 'busy-folder' })
    expect(await look('b')).toEqual({ kind: 'none' })
    expect(await start('ab', 'sleep 100', '.')).toMatchObject({ kind: 'running' })
    await cancel('a')
    expect(await look('ab')).toMatchObject({ kind: 'running' })
    await cancel('ab')
    expect(await start('b', 'exit 3')).not.toMatchObject({ kind: 'refused' })
    expect(await ended(instance, 'b')).toMatchObject({ kind: 'exited', code: 3 })
  })

  test('canceled, all that the command started ends, asked first', async () => {
    const instance = await instanceWith(shell)
    const command = [
      'trap "echo saved; exit 5" TERM',
      `sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' &`,
      `setsid sh -c 'echo $$; exec sleep 1000' &`,
      `env -i "$(command -v sh)" -c 'echo $$; while :; do sleep 1; done' &`,
      'echo $$',
      'while :; do sleep 0.1; done',
    ]
    await instance.start('a', command.join('\n'))
    const pids = await waitFor(async () => {
      const told = (await instance.log('a')).match(/\d+(?=\n)/g) ?? []
      expect(told).toHaveLength(4)
      return told.map(Number)
    })
    const state = await instance.cancel('a')
    expect(state).toMatchObject({ kind: 'exited', code: 5, isCanceled: true })
    expect(await instance.log('a')).toContain('saved\n')
    for (const pid of pids) expect(await isRunning(pid)).toBe(false)
    expect(await instance.cancel('a')).toEqual(state)
    expect(await instance.start('a', 'echo again')).toEqual(state)
  })

  test('canceled, what would come after the command that is ended never begins', async () => {
    const instance = await instanceWith(shell)
    // In none of the shells that wait for one another.
    let command = 'sleep 1000; echo never'
    for (let depth = 0; depth < 4; depth += 1)
      command = `sh <<'END${depth}'\n${command}\nEND${depth}\necho never`
    await instance.start('a', `echo begun\n${command}`)
    await waitFor(async () => expect(await instance.log('a')).toContain('begun'))
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await instance.cancel('a')).toMatchObject({ kind: 'exited', isCanceled: true })
    expect(await instance.log('a')).not.toContain('never')
  })

  test('canceled before it began, it never does', async () => {
    const { cancel, start, look, home } = await instanceWith(shell)
    const canceled = { kind: 'exited', code: 143, isCanceled: true, bytes: 0 }
    expect(await cancel('a')).toEqual(canceled)
    expect(await start('a', `touch ${home}/ran`)).toEqual(canceled)
    expect(await look('a')).toEqual(canceled)
    expect(await readdir(home)).not.toContain('ran')
  })

  test('after a restart of the instance, and where its process is gone, it’s lost and not started again', async () => {
    const instance = await instanceWith(shell)
    await instance.start('a', 'echo one; sleep 100')
    await waitFor(async () => expect(await instance.log('a')).toBe('one\n'))
    const { pid, began } = await instance.runner('a')
    process.kill(pid, 'SIGKILL')
    // The command itself goes on, and is told so.
    expect(await instance.look('a')).toEqual({ kind: 'running', bytes: 4 })
    process.kill(-pid, 'SIGKILL')
    await waitFor(async () =>
      expect(await instance.start('a', 'echo two')).toEqual({ kind: 'lost', why: 'vanished', bytes: 4 }),
    )
    await writeFile(join(instance.jobFolder('a'), 'pid'), `${pid}\n${began}\nanother run\n/\n`)
    expect(await instance.start('a', 'echo two')).toEqual({ kind: 'lost', why: 'restarted', bytes: 4 })
    expect(await instance.follow('a', 2)).toEqual(Buffer.from('e\n'))
    await instance.forget('a')
    expect(await instance.look('a')).toEqual({ kind: 'none' })
  })

  test('one that runs isn’t forgotten', async () => {
    const { start, forget, cancel } = await instanceWith(shell)
    await start('a', 'sleep 100')
    expect(await forget('a')).toMatchObject({ kind: 'running' })
    expect(await cancel('a')).toMatchObject({ kind: 'exited', isCanceled: true })
  })
})
