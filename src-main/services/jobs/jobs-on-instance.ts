import type { Connections, ConnectionLease } from '../ssh/connection/connections.ts'
import type { InstanceJobs } from './on-instance/instance-jobs.ts'

/** The jobs of an instance, each call with a share of its own in the connection. */
export function jobsOnInstance(
  instanceId: number,
  {
    connections,
    over,
  }: {
    readonly connections: Pick<Connections, 'acquire'>
    /** Over a connection that stands. */
    readonly over: (lease: ConnectionLease) => InstanceJobs
  },
): InstanceJobs {
  async function use<T>(signal: AbortSignal, work: (jobs: InstanceJobs) => Promise<T>): Promise<T> {
    const lease = await connections.acquire(instanceId, signal)
    try {
      return await work(over(lease))
    } finally {
      lease.release()
    }
  }
  return {
    start: (order, signal) => use(signal, (jobs) => jobs.start(order, signal)),
    look: (jobId, signal) => use(signal, (jobs) => jobs.look(jobId, signal)),
    follow: (job, onBytes, signal) => use(signal, (jobs) => jobs.follow(job, onBytes, signal)),
    cancel: (jobId, signal) => use(signal, (jobs) => jobs.cancel(jobId, signal)),
    hash: (folder, paths, signal) => use(signal, (jobs) => jobs.hash(folder, paths, signal)),
    forget: (jobId, signal) => use(signal, (jobs) => jobs.forget(jobId, signal)),
  }
}
