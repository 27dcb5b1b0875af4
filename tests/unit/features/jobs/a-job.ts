import type { Job } from '#domain/jobs/job.ts'

/** A job whose command runs, but for what is given. */
export function aJob(over: Partial<Job> = {}, definition: Partial<Job['definition']> = {}): Job {
  return {
    id: 'job-1',
    definition: {
      name: 'Train',
      command: 'python train.py',
      send: { honorGitignore: true, exclude: [] },
      fetch: ['out/'],
      then: 'destroy',
      stopAfterMinutes: null,
      ...definition,
    },
    folder: '/home/sam/train',
    place: { kind: 'instance', instanceId: 7 },
    begunAt: 0,
    instanceId: 7,
    step: 'run',
    progress: null,
    trouble: null,
    isCanceling: false,
    end: 'destroy',
    asked: null,
    isUnguarded: false,
    unsentLinks: 0,
    startedAt: 10_000,
    heardAt: 70_000,
    exitedAt: null,
    exit: null,
    outputs: null,
    perHourUsd: 0.42,
    costUsd: 0.1,
    logBytes: 0,
    isNotifying: true,
    outcome: null,
    endedAt: null,
    ...over,
  }
}
