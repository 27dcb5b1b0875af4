import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { readState } from '#services/jobs/on-instance/job-answer.ts'
import { executionOf, jobScriptText, type JobQuestion } from '#services/jobs/on-instance/job-script.ts'
import { processesOf } from '../../simulator/machines/processes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

export const scripts = join(import.meta.dirname, '../../../resources/machine')
/** The script that Slipway sends to instances. */
export const script = await jobScriptText(scripts)
/** Shells that instances have as `sh`. */
export const shells = ['dash', 'bash', 'busybox'] as const
export type Shell = (typeof shells)[number]

/** What the script uses, and what commands of these tests do. */
const programs = [
  ...['awk', 'cat', 'chmod', 'dd', 'grep', 'id', 'ls', 'mkdir', 'mv', 'nohup', 'rm', 'sed', 'setsid'],
  ...['sha256sum', 'sleep', 'touch', 'xargs', 'env'],
]

function findProgram(name: string): string {
  const path = ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((one) => existsSync(one))
  if (path === undefined) throw new Error(`${name} isn't installed: npm run setup`)
  return path
}

/**
 * An instance as Slipway comes to it over SSH, but for the connection: this shell, and only these programs on the path.
 * `project` is the folder that commands run in.
 */
export async function instanceWith(shell: Shell) {
  const home = await temporaryFolder()
  const [path, project, root] = [join(home, 'bin'), join(home, 'project'), join(home, 'root')]
  for (const made of [path, project, join(root, 'tmp')]) await mkdir(made, { recursive: true })
  for (const name of programs) await symlink(findProgram(name), join(path, name))
  await symlink(findProgram(shell), join(path, 'sh'))
  const env: Record<string, string> = {
    ...{ PATH: path, HOME: home, TMPDIR: '/proc/none', SLIPWAY_ROOT: root, SLIPWAY_GRACE: '1' },
    SLIPWAY_RUN: 'of-the-channel',
  }
  onTestFinished(async () => {
    for (const pid of await processesOf(home)) process.kill(pid, 'SIGKILL')
  })

  /** The login shell, in a session of its own as sshd starts it, with all that it reads. */
  function login(question: JobQuestion) {
    const { command, input } = executionOf(question, script)
    const child = spawn(join(path, 'sh'), ['-c', command], {
      ...{ env, cwd: home, detached: true },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.stdin.on('error', () => undefined)
    return { child, input }
  }
  async function answerTo(question: JobQuestion): Promise<string> {
    const { child, input } = login(question)
    child.stdin.end(input)
    return text(child.stdout)
  }
  const ask = async (question: JobQuestion) =>
    readState((await answerTo(question)).trimEnd().split('\n').at(-1) ?? '')
  const jobFolder = (jobId: string) => join(home, '.slipway/jobs', jobId)
  return {
    ...{ home, path, project, root, env, login, ask, answerTo, jobFolder },
    start: (jobId: string, command: string, folder = project) =>
      ask({ kind: 'start', jobId, folder, command }),
    look: (jobId: string) => ask({ kind: 'look', jobId }),
    cancel: (jobId: string) => ask({ kind: 'cancel', jobId }),
    forget: (jobId: string) => ask({ kind: 'forget', jobId }),
    /** All of the log from a byte on, once the command has ended. */
    follow: async (jobId: string, from = 0) => {
      const { child, input } = login({ kind: 'follow', jobId, from, mark: 'begin' })
      child.stdin.write(input)
      const all = await buffer(child.stdout)
      child.stdin.end()
      return all.subarray('begin\n'.length)
    },
    log: (jobId: string) => readFile(join(jobFolder(jobId), 'log'), 'utf8'),
    /** Of whoever runs the command: its process, its beginning, and the instance's run. */
    runner: async (jobId: string) => {
      const [pid, began, run] = (await readFile(join(jobFolder(jobId), 'pid'), 'utf8')).split('\n')
      return { pid: Number(pid), began, run }
    },
    /** Puts a program of these lines on the path. */
    stub: async (name: string, lines: string) => {
      const next = join(home, 'next')
      await writeFile(next, `#!/bin/sh\n${lines}\n`)
      await chmod(next, 0o755)
      await rename(next, join(path, name))
    },
  }
}
export type Instance = Awaited<ReturnType<typeof instanceWith>>
