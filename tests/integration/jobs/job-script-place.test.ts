import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { executionOf, type JobQuestion } from '#services/jobs/on-instance/job-script.ts'
import { mayMountDisks, mountSmallDisk } from '../../support/small-disk.ts'
import { waitFor } from '../../support/wait-for.ts'
import { instanceWith, script, shells, type Instance } from './job-instance.ts'

const run = promisify(execFile)
const refused = (why: string) => ({ kind: 'refused', why })

/** The folder of Slipway's on a disk of its own, of 1 MiB. */
async function smallDisk({ home }: Instance) {
  const folder = join(home, '.slipway')
  const unmount = await mountSmallDisk(folder, 1)
  onTestFinished(unmount)
  return {
    fill: () => run('sh', ['-c', `cat /dev/zero >"${folder}/filler" 2>/dev/null; :`]),
    free: () => rm(join(folder, 'filler')),
    remount: (how: 'ro') => run('mount', ['-o', `remount,${how}`, folder]),
  }
}

describe.each(shells)('%s', (shell) => {
  test.skipIf(!mayMountDisks)('a full disk is said, and the command isn’t started', async () => {
    const instance = await instanceWith(shell)
    const disk = await smallDisk(instance)
    await disk.fill()
    expect(await instance.start('a', 'echo hi')).toEqual(refused('disk-full'))
    expect(await instance.look('a')).toEqual({ kind: 'none' })
    await disk.free()
    await instance.start('a', 'echo hi')
    expect(await instance.follow('a')).toEqual(Buffer.from('hi\n'))
  })

  test.skipIf(!mayMountDisks)('one that fills the disk with its log is heard to the end', async () => {
    const instance = await instanceWith(shell)
    await smallDisk(instance)
    await instance.start('a', 'cat /dev/zero; exit 9')
    expect((await instance.follow('a')).length).toBeGreaterThan(500_000)
    expect(await instance.look('a')).toMatchObject({ kind: 'exited', code: 9 })
  })

  test.skipIf(!mayMountDisks)('a home that can’t be written to is said', async () => {
    const instance = await instanceWith(shell)
    const disk = await smallDisk(instance)
    await instance.start('a', 'exit 6')
    const state = { kind: 'exited', code: 6, isCanceled: false, bytes: 0 }
    await waitFor(async () => expect(await instance.look('a')).toEqual(state))
    await rm(join(instance.root, 'tmp'), { recursive: true })
    await writeFile(join(instance.root, 'tmp'), '')
    await waitFor(() => disk.remount('ro'))
    expect(await instance.start('b', 'true')).toEqual(refused('read-only'))
    expect(await instance.cancel('b')).toEqual(refused('read-only'))
    expect(await instance.start('a', 'true')).toEqual(state)
    expect(await instance.cancel('a')).toEqual(state)
  })

  test.skipIf(!mayMountDisks)('no /proc is said', async () => {
    const instance = await instanceWith(shell)
    const { command, input } = executionOf(
      { kind: 'start', jobId: 'a', folder: instance.project, command: 'true' },
      script,
    )
    const empty = join(instance.home, 'empty')
    await mkdir(empty)
    const words = [empty, join(instance.path, 'sh'), command]
    const hide = 'PATH=/bin:/usr/bin mount --bind "$1" /proc && exec "$2" -c "$3"'
    const child = spawn('/usr/bin/unshare', ['--mount', '/bin/sh', '-c', hide, 'sh', ...words], {
      env: instance.env,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.stdin.end(input)
    expect(JSON.parse(await text(child.stdout))).toEqual(refused('no-procfs'))
  })

  test('a folder that isn’t there is said, and the job may be started again', async () => {
    const instance = await instanceWith(shell)
    expect(await instance.start('a', 'echo hi', 'nowhere')).toEqual(refused('failed'))
    expect(await instance.look('a')).toEqual({ kind: 'none' })
    await mkdir(join(instance.home, 'nowhere'))
    await instance.start('a', 'echo hi', 'nowhere')
    expect(await instance.follow('a')).toEqual(Buffer.from('hi\n'))
  })

  test('half a command is none, and so is half a script', async () => {
    const instance = await instanceWith(shell)
    const ask = async (bytes: (length: number) => number) => {
      const { child, input } = instance.login({
        ...{ kind: 'start', jobId: 'a', folder: instance.project, command: `touch ${instance.home}/ran` },
      })
      child.stdin.end(input.slice(0, bytes(input.length)))
      return text(child.stdout)
    }
    expect(await ask((length) => length - 1)).toBe('')
    expect(await ask((length) => length / 2)).toBe('')
    expect(await instance.look('a')).toEqual({ kind: 'none' })
    expect(await readdir(instance.home)).not.toContain('ran')
  })

  test.each(['sha256sum', 'shasum', 'openssl', 'busybox', null])('sums of files by %s', async (tool) => {
    const instance = await instanceWith(shell)
    await rm(join(instance.path, 'sha256sum'))
    if (tool === 'shasum') await instance.stub(tool, 'PATH=/usr/bin:/bin; shift 2; exec sha256sum "$@"')
    else if (tool !== null) await symlink(`/usr/bin/${tool}`, join(instance.path, tool))
    const names = [
      'plain',
      '-n',
      '--help',
      '*',
      '$(touch ran)',
      "it's",
      'two\nlines',
      'back\\slash',
      '!',
      'é',
    ]
    const paths = ['missing', ...names, 'in a/folder', 'empty', '.']
    await mkdir(join(instance.project, 'in a'))
    for (const name of [...names, 'in a/folder']) await writeFile(join(instance.project, name), name)
    await writeFile(join(instance.project, 'empty'), '')
    const answer = await instance.answerTo({ kind: 'sums', folder: instance.project, paths, mark: 'begin' })
    const sumOf = (content: string) => createHash('sha256').update(content).digest('hex')
    const sums = ['-', ...[...names, 'in a/folder', ''].map(sumOf), '-']
    expect(answer).toBe(tool === null ? 'begin\n' : `begin\n${sums.join('\n')}\n`)
  })

  test('its folder is the one that guards use', async () => {
    const instance = await instanceWith(shell)
    const uid = process.getuid?.() ?? 0
    const other = join(instance.root, 'tmp', `slipway-${uid}`)
    await mkdir(other)
    await writeFile(join(other, 'guard.sh'), '')
    await instance.start('a', 'exit 4')
    expect(await readdir(join(other, 'jobs'))).toEqual(['a'])
    await waitFor(async () => expect(await instance.look('a')).toMatchObject({ kind: 'exited', code: 4 }))
    // Where the job is counts for it from then on.
    await rm(join(other, 'guard.sh'))
    expect(await instance.look('a')).toMatchObject({ kind: 'exited', code: 4 })
    expect(dirname(instance.jobFolder('a'))).not.toBe(join(other, 'jobs'))
  })
})

test('a user may log in by fish', async () => {
  const instance = await instanceWith('dash')
  const ask = async (question: JobQuestion) => {
    const { command, input } = executionOf(question, script)
    const child = spawn('/usr/bin/fish', ['-c', command], {
      ...{ env: instance.env, cwd: instance.home, detached: true },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.stdin.end(input)
    return JSON.parse(await text(child.stdout)) as unknown
  }
  await ask({ kind: 'start', jobId: 'a', folder: instance.project, command: `echo "it's fine"` })
  await waitFor(async () =>
    expect(await ask({ kind: 'look', jobId: 'a' })).toEqual({
      ...{ kind: 'exited', code: 0, isCanceled: false, bytes: 10 },
    }),
  )
})
