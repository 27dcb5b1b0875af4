import { missingOutputsOf, type Job, type MissingOutputs } from '#domain/jobs/job.ts'

/** The outputs that a job's user is asked about. */
export function shownMissing({ trouble }: Pick<Job, 'trouble'>): MissingOutputs {
  const missing = missingOutputsOf(trouble)
  if (missing === null) throw new Error('no outputs are missing')
  return missing
}
