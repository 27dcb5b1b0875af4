import { execFile, spawn } from 'node:child_process'
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { executionOf, jobScriptText, type JobQuestion } from '#services/jobs/on-instance/job-script.ts'
import { findOpenSsh } from '../../simulator/machines/openssh.ts'
import { createMachine } from '../../simulator/machines/ssh-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { actingService, instanceWith, orderOf, shells } from './guard-script.ts'

type Instance = Awaited<ReturnType<typeof instanceWith>>
const scripts = join(import.meta.dirname, '../../../resources/machine')
const idleRule = ['a stop idle 600 -']

/** Waits until the idle rule says that of what it waits for, and goes on saying it at the next looks. */
async function expectWaits({ toldState }: Instance, waits: string): Promise<void> {
  const look = async () => {
    const { rules, uptime, running } = await toldState()
    expect({ waits: rules[0]?.waits, running }).toEqual({ waits, running: true })
    return uptime
  }
  const from = await waitFor(look)
  await waitFor(async () => expect(await look()).toBeGreaterThan(from + 2))
}

/** A cgroup's files as the kernel has them, whose processes take so many percent of a core. */
const cgroups = {
  v2: (folder: string, percent: number, quota: string) => ({
    limits: { [`${folder}/cpu.max`]: `${quota === '-1' ? 'max' : quota} 100000\n` },
    usage: `${folder}/cpu.stat`,
    text: (ms: number) => `nr_periods 0\nusage_usec ${Math.round(ms * percent * 10)}\nuser_usec 1\n`,
  }),
  v1: (folder: string, percent: number, quota: string) => ({
    limits: {
      [`${folder}/cpu/cpu.cfs_quota_us`]: `${quota}\n`,
      [`${folder}/cpu/cpu.cfs_period_us`]: '100000\n',
    },
    usage: `${folder}/cpuacct/cpuacct.usage`,
    text: (ms: number) => `${Math.round(ms * percent * 10_000)}\n`,
  }),
} as const

async function useProcessors(
  { root }: Instance,
  version: keyof typeof cgroups,
  percent: number,
  quota = '-1',
) {
  const { limits, usage, text } = cgroups[version](join(root, 'sys/fs/cgroup'), percent, quota)
  for (const [file, content] of Object.entries(limits)) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  await mkdir(dirname(usage), { recursive: true })
  const startedAt = performance.now()
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  // Never half of it: the kernel's files have no such time.
  const write = async () => {
    await writeFile(`${usage}.next`, text(1e6 + performance.now() - startedAt))
    await rename(`${usage}.next`, usage)
  }
  await write()
  void (async () => {
    while (!ended.signal.aborted) {
      await write()
      await sleep(50)
    }
  })().catch(() => undefined)
}

/** Measured, and not put off. */
const measured = { SLIPWAY_LOAD: '' }

describe.each(shells)('%s', (shell) => {
  test.each([
    ['v2', 1, '-1', ''],
    ['v2', 200, '-1', 'load'],
    ['v2', 90, '50000', 'load'],
    ['v1', 1, '-1', ''],
    ['v1', 200, '-1', 'load'],
    ['v1', 90, '50000', 'load'],
  ] as const)('cgroup %s, percent of a core %i, quota %s: “%s”', async (version, percent, quota, waits) => {
    const { api } = await actingService()
    const instance = await instanceWith(shell, 'curl')
    await instance.stub('nproc', 'echo 64')
    await useProcessors(instance, version, percent, quota)
    const { rules } = await instance.run('arm', orderOf(api, idleRule), measured)
    // Already the first answer is measured.
    expect(rules[0]?.waits).not.toContain('unmeasured')
    await expectWaits(instance, waits)
  })

  test('a cgroup that does not tell counts as in use', async () => {
    const { api } = await actingService()
    const instance = await instanceWith(shell, 'curl')
    await mkdir(join(instance.root, 'sys/fs/cgroup'), { recursive: true })
    await writeFile(join(instance.root, 'sys/fs/cgroup/cpu.stat'), 'nr_periods 0\n')
    await instance.run('arm', orderOf(api, idleRule), measured)
    await expectWaits(instance, 'unmeasured-load')
  })
})

const rocm = (...loads: readonly (number | string)[]) =>
  loads.map((load, index) => `echo "GPU[${index}]		: GPU use (%): ${load}"`).join('\n')

test.each([
  ['idle', rocm(0, 3), ''],
  ['busy', rocm(0, 97), 'busy-gpu'],
  ['not all told', rocm(0, 'N/A'), 'unmeasured'],
  ['not all reached', `${rocm(0)}\nexit 1`, 'unmeasured'],
  ['none', ':', 'unmeasured'],
] as const)('GPUs by rocm-smi: %s', async (_, lines, waits) => {
  const { api } = await actingService()
  const instance = await instanceWith('dash', 'curl')
  await instance.stub('rocm-smi', lines)
  await instance.run('arm', orderOf(api, idleRule))
  await expectWaits(instance, waits)
})

test.each(['accel0', 'dri/renderD128', 'kfd', 'nvidiactl'])(
  'what may compute and is measured by no tool counts as in use: %s',
  async (device) => {
    const { api } = await actingService()
    const instance = await instanceWith('dash', 'curl')
    await mkdir(join(instance.root, 'dev/dri'))
    await writeFile(join(instance.root, 'dev', device), '')
    await instance.run('arm', orderOf(api, idleRule))
    await expectWaits(instance, 'unmeasured')
    // A board's own graphics stand beside what was rented, which is measured.
    await instance.stub('nvidia-smi', 'echo 0')
    await expectWaits(instance, '')
  },
)

test('a job that runs is no idle time, and one whose process has gone is, also where another one has its id', async () => {
  const { api } = await actingService()
  const instance = await instanceWith('dash', 'curl')
  const ask = async (question: JobQuestion) => {
    const { command, input } = executionOf(question, await jobScriptText(scripts))
    const child = spawn(join(instance.path, 'sh'), ['-c', command], {
      ...{ env: { ...instance.env, PATH: `${process.env['PATH']}`, SLIPWAY_GRACE: '1' }, cwd: instance.home },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin.end(input)
    return JSON.parse(await text(child.stdout)) as unknown
  }
  onTestFinished(async () => {
    await ask({ kind: 'cancel', jobId: 'one' })
  })
  await ask({ kind: 'start', jobId: 'one', folder: instance.home, command: 'sleep 60' })
  await instance.run('arm', orderOf(api, idleRule))
  await expectWaits(instance, 'job')
  expect(await ask({ kind: 'cancel', jobId: 'one' })).toMatchObject({ kind: 'exited', isCanceled: true })
  await expectWaits(instance, '')
  await mkdir(join(instance.folder, 'jobs/two'), { recursive: true })
  await writeFile(join(instance.folder, 'jobs/two/pid'), `${process.pid}\n12345\n`)
  await expectWaits(instance, '')
})

test('a terminal that is open over SSH is no idle time, and one of another kind is', async () => {
  const { api } = await actingService()
  const instance = await instanceWith('dash', 'curl')
  const folder = await temporaryFolder()
  const keyFile = join(folder, 'key')
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile])
  const authorizedKeys = await readFile(`${keyFile}.pub`, 'utf8')
  const empty = { environment: {}, startScript: '' }
  const host = { instanceId: 5, folder: join(folder, 'host'), authorizedKeys, ...empty }
  const machine = await createMachine(host, await findOpenSsh())
  onTestFinished(() => machine.remove())
  await machine.up()

  await instance.run('arm', orderOf(api, idleRule))
  await expectWaits(instance, '')
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR']
  const login = `${userInfo().username}@127.0.0.1`
  const where = ['-F', 'none', '-tt', '-i', keyFile, '-p', `${machine.port()}`, login]
  const ssh = spawn('ssh', [...options.flatMap((each) => ['-o', each]), ...where, 'tty; exec sleep 60'])
  onTestFinished(() => void ssh.kill())
  const lines = createInterface({ input: ssh.stdout })[Symbol.asyncIterator]()
  const device = String((await lines.next()).value).trim()
  await symlink(device, join(instance.terminals, basename(device)))
  await expectWaits(instance, 'login')
  ssh.kill()
  await expectWaits(instance, '')
  await instance.stub('awk', 'exit 1')
  await expectWaits(instance, 'unmeasured-login')
})

test('a tool that hangs holds up no other rule, and counts as in use', async () => {
  const { api, changes } = await actingService()
  const instance = await instanceWith('dash', 'curl')
  await instance.stub('nvidia-smi', `trap '' TERM HUP INT\nfor _ in 0 1 2 3; do /bin/sleep 10; done`)
  await instance.run('arm', orderOf(api, ['a destroy after 12 -', 'b stop idle 60 -']))
  const { rules } = await instance.run('state')
  expect(rules).toMatchObject([{ id: 'a' }, { id: 'b', waits: 'unmeasured' }])
  await waitFor(() => expect(changes()).toHaveLength(1))
  expect(changes()[0]).toContain('DELETE')
})
