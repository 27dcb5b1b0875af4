import { askScript, type AskScriptOptions } from '../../ssh/scripts/ask-script.ts'
import { hashFiles } from './file-hashes.ts'
import { followLog } from './follow-log.ts'
import type { InstanceJobs, JobState } from './instance-jobs.ts'
import { readState } from './job-answer.ts'
import { executionOf, jobScriptText, type JobQuestion } from './job-script.ts'

export interface JobsOverSshOptions extends Omit<AskScriptOptions, 'signal'> {
  /** The folder of the scripts that run on instances. */
  readonly scripts: string
}

/** Between two commands that follow a log: one that ends early was ended by somebody there. */
const followAgainMs = 1_000

/** The jobs of an instance over a connection, by `resources/machine/job.sh`, which is sent with each question. */
export function jobsOverSsh({ scripts, ...options }: JobsOverSshOptions): InstanceJobs {
  const script = jobScriptText(scripts)
  const ask = async (question: JobQuestion, signal: AbortSignal): Promise<JobState> =>
    readState(await askScript(executionOf(question, await script), { ...options, signal }))
  return {
    start: (order, signal) => ask({ kind: 'start', ...order }, signal),
    look: (jobId, signal) => ask({ kind: 'look', jobId }, signal),
    cancel: (jobId, signal) => ask({ kind: 'cancel', jobId }, signal),
    async forget(jobId, signal) {
      await ask({ kind: 'forget', jobId }, signal)
    },
    async follow({ jobId, from }, onBytes, signal) {
      let at = from
      let end: number | null = null
      for (;;) {
        const before = at
        await followLog({
          ...{ ...options, signal, script: await script, jobId, from: at },
          onBytes: (bytes) => {
            at += bytes.length
            return onBytes(bytes)
          },
        })
        const state = await ask({ kind: 'look', jobId }, signal)
        if (state.kind === 'none' || state.kind === 'refused') return state
        if (state.kind !== 'running') {
          // The script that follows may be ended before it has said the last. What comes after the command's end isn't its own.
          const hasNoMore = end !== null && at === before
          end ??= state.bytes
          if (at >= end || hasNoMore) return state
        }
        await options.clock.sleep(followAgainMs, signal)
      }
    },
    hash: async (folder, paths, signal) =>
      hashFiles({ ...options, signal, script: await script, folder, paths }),
  }
}
