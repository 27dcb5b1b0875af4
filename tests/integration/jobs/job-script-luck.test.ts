import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { waitFor } from '../../support/wait-for.ts'
import { instanceWith, shells, type Instance } from './job-instance.ts'

/** How often commands ran: each writes a letter. */
async function countRuns({ home }: Instance): Promise<number> {
  const runs = await readFile(join(home, 'runs'), 'utf8').catch(() => '')
  return runs.length
}
const commandOf = ({ home }: Instance): string => `printf x >>${home}/runs`

describe.each(shells)('%s', (shell) => {
  test('of 20 that start a job at once, one does', async () => {
    const instance = await instanceWith(shell)
    const command = `${commandOf(instance)}; exit 8`
    const states = await Promise.all(Array.from({ length: 20 }, () => instance.start('a', command)))
    for (const { kind } of states) expect(kind).toMatch(/running|exited/)
    await waitFor(async () =>
      expect(await instance.look('a')).toMatchObject({ kind: 'exited', code: 8, bytes: 0 }),
    )
    expect(await countRuns(instance)).toBe(1)
  })

  test('jobs that start in one folder at once never run there together', async () => {
    const instance = await instanceWith(shell)
    const inside = `${instance.home}/inside`
    const command = `mkdir ${inside} || exit 99; sleep 1; rm -r ${inside}`
    const ids = ['a', 'b', 'c', 'd']
    await Promise.all(ids.map((id) => instance.start(id, command)))
    for (const id of ids) {
      await waitFor(async () => {
        const { kind } = await instance.start(id, command)
        expect(kind).toMatch(/exited/)
      })
      expect(await instance.look(id)).toMatchObject({ kind: 'exited', code: 0, bytes: 0 })
    }
  })
})

/**
 * Three times as long as a start takes here now: who starts a job is killed before that is over, or right after it,
 * also when the computer has more to do then. Nor does it count how busy it was for one of these.
 */
async function timeOfStarts(instance: Awaited<ReturnType<typeof instanceWith>>): Promise<number> {
  let quickestMs = Infinity
  for (let index = 0; index < 5; index += 1) {
    const begunMs = performance.now()
    await instance.start(`first-${index}`, 'true')
    quickestMs = Math.min(quickestMs, performance.now() - begunMs)
  }
  return 3 * quickestMs
}

test.each(['start', 'all'] as const)(
  'however early the shell that starts a job is killed, it runs once or not at all, and is told: %s',
  async (who) => {
    const instance = await instanceWith('dash')
    const longestMs = await timeOfStarts(instance)
    let [begun, none] = [0, 0]
    for (let index = 0; index < 50; index += 1) {
      const jobId = `job-${index}`
      const question = { kind: 'start', jobId, folder: instance.project } as const
      const { child, input } = instance.login({ ...question, command: commandOf(instance) })
      child.stdin.end(input)
      await sleep(Math.random() * longestMs)
      // Or all that is of its session; who runs the command has one of its own.
      if (child.pid !== undefined) kill(who === 'all' ? -child.pid : child.pid)
      const before = await text(child.stdout)
      const state = await waitFor(async () => {
        const now = await instance.look(jobId)
        expect(now.kind).not.toBe('running')
        return now
      })
      if (state.kind === 'none') {
        none += 1
        expect(before).toBe('')
        // What was killed left nothing that keeps another one from it.
        await instance.start(jobId, commandOf(instance))
        await waitFor(async () =>
          expect(await instance.look(jobId)).toMatchObject({ kind: 'exited', code: 0 }),
        )
      } else {
        begun += 1
        expect(state).toMatchObject({ kind: 'exited', code: 0 })
      }
      expect(await countRuns(instance)).toBe(index + 1)
      expect(await instance.start(jobId, commandOf(instance))).toMatchObject({ kind: 'exited', code: 0 })
      expect(await countRuns(instance)).toBe(index + 1)
    }
    expect(Math.min(begun, none), `${begun} begun, ${none} not`).toBeGreaterThan(0)
  },
  120_000,
)

test('whenever who runs the command is killed, it never runs twice', async () => {
  const instance = await instanceWith('dash')
  const longestMs = await timeOfStarts(instance)
  const kinds = new Set<string>()
  for (let index = 0; index < 40 || (kinds.size < 2 && index < 200); index += 1) {
    const jobId = `job-${index}`
    const before = await countRuns(instance)
    const command = `${commandOf(instance)}; sleep 0.05`
    const { child, input } = instance.login({ kind: 'start', jobId, folder: instance.project, command })
    child.stdin.end(input)
    const answer = text(child.stdout)
    await sleep(Math.random() * longestMs)
    const runner = await runnerOf(instance, jobId)
    if (runner !== null) kill(-runner)
    await answer
    for (let times = 0; times < 2; times += 1) await instance.start(jobId, command)
    const state = await waitFor(async () => {
      const now = await instance.look(jobId)
      expect(now.kind).toMatch(/exited|lost/)
      return now
    })
    kinds.add(state.kind)
    const runs = (await countRuns(instance)) - before
    // One that is lost may have been about to write.
    expect(runs).toBeLessThan(2)
    if (state.kind === 'exited') expect(runs).toBe(1)
  }
  expect([...kinds].toSorted()).toEqual(['exited', 'lost'])
}, 120_000)

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Who is about to run the command, or does; `null` when there is nobody yet. */
async function runnerOf({ home }: Instance, jobId: string): Promise<number | null> {
  // It's among the newest, and lives for a moment.
  const ids = (await readdir('/proc')).map(Number).filter((id) => id > 0)
  for (const id of ids.toSorted((one, other) => other - one)) {
    const line = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
    if (line.startsWith(`sh\0${home}/.slipway/jobs/${jobId}/job.sh\0run\0`)) return id
  }
  return null
}
