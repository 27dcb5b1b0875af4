import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../domain/base/clock.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Log } from '../../domain/base/log.ts'
import type { LogPart } from '../../domain/base/log-part.ts'
import type { Notification } from '../../domain/notifications/notification.ts'
import { waitsForUser } from '../../domain/ssh/connection-lifecycle.ts'
import type { JobFiles } from '../files/outputs/job-files.ts'
import type { InstancesService } from '../instances/open-instances.ts'
import { advisedPauseMs } from '../instances/watch.ts'
import type { Connections } from '../ssh/connection/connections.ts'
import { ifThere, orStorageFailed } from '../storage/disk.ts'
import type { Folder } from '../storage/folder.ts'
import { openJournal } from '../storage/journal.ts'
import { searchLines } from '../storage/line-log/search-lines.ts'
import { createDefinitionFiles, type DefinitionFilesOptions } from './definition-files.ts'
import { jobEntry } from './job-journal.ts'
import { JobLog } from './job-log.ts'
import { JobRecords } from './job-records.ts'
import { Jobs } from './jobs.ts'
import { saveLog } from './save-log.ts'
import { jobsOnInstance } from './jobs-on-instance.ts'
import { outputsFolderOf } from './job-folders.ts'
import { jobsOverSsh } from './on-instance/jobs-over-ssh.ts'
import type { JobRetries } from './step-context.ts'

export interface JobsDependencies {
  readonly folder: Pick<Folder, 'path' | 'file'>
  readonly instances: Pick<InstancesService, 'watch' | 'caretakerActions'>
  readonly connections: Pick<Connections, 'acquire' | 'state' | 'list'>
  /** The folder of the scripts that run on instances. */
  readonly scripts: string
  readonly retries: JobRetries
  /** Auto-stop rules, by the ids that whoever sets them chooses. */
  readonly rules: {
    readonly all: readonly {
      readonly id: string
      readonly instanceId: number
      readonly notBefore: number | null
    }[]
    readonly stopWhenIdle: (id: string, instanceId: number, minutes: number) => Promise<void>
    readonly postpone: (id: string) => Promise<void>
    readonly passOn: (id: string, heir: { readonly id: string; readonly minutes: number }) => Promise<void>
    readonly remove: (id: string) => Promise<void>
  }
  readonly files: JobFiles
  readonly seal: {
    readonly seal: (text: string) => Promise<string>
    readonly open: (sealed: string) => Promise<string | null>
  }
  readonly notify: (notification: Notification) => void
  /** The same text without any secret. */
  readonly redact: (text: string) => string
  /** Asks with the system's dialog where a file goes; `null` when the user leaves it. */
  readonly chooseFile: (suggestedName: string) => Promise<string | null>
  readonly chooseProject: DefinitionFilesOptions['choose']
  readonly showInFolder: (path: string) => void
  readonly umask: number
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
}

export type JobsService = Awaited<ReturnType<typeof openJobs>>

/** Of a log's end, in bytes. */
const tailBytes = 64 * 1024
/** How often a page is told of more of it. */
const tellMs = 200
/** A rule isn't put off again while it's put off for so long. */
const putOffMs = 30 * 60_000

/**
 * Jobs: a folder goes to an instance, a command is run there once, outputs come back and are compared, and the instance
 * is kept, stopped, or destroyed. What was under way when Slipway ended goes on.
 *
 * @throws ProblemError storage-failed when the journal can't be read: a job's instance would be forgotten
 */
export async function openJobs(from: JobsDependencies, lifetime: Lifetime) {
  const { folder, instances, connections, rules, files, retries, seal, notify, clock, randomId, log } = from
  const { watch } = instances
  const folderOf = (id: string): string => join(folder.path, 'jobs', id)
  const deleteFiles = (id: string): Promise<void> =>
    orStorageFailed(folderOf(id), () => rm(folderOf(id), { recursive: true, force: true }))
  const records = new JobRecords({
    journal: openJournal({ ...folder.file('jobs.jsonl'), schema: jobEntry }),
    // Jobs go on without it.
    deleteFiles: (id) =>
      deleteFiles(id).catch((error: unknown) =>
        log.warn(`What is kept of job ${id} stays: ${String(error)}`),
      ),
    clock,
  })
  await records.open()
  const jobs = new Jobs({
    ...{ watch, actions: instances.caretakerActions, retries, files, records, notify, clock, randomId, log },
    rules: {
      arm: (...rule) => rules.stopWhenIdle(...rule),
      postpone: async (instanceId) => {
        const ofJobs = rules.all.filter((one) => one.instanceId === instanceId && records.get(one.id))
        for (const { id, notBefore } of ofJobs)
          if ((notBefore ?? 0) - clock.now() < putOffMs) await rules.postpone(id)
      },
      disarm: async (id, heirId) => {
        if (!rules.all.some((one) => one.id === id)) return
        const minutes = heirId === null ? null : (records.get(heirId)?.definition.stopAfterMinutes ?? null)
        await (heirId === null || minutes === null
          ? rules.remove(id)
          : rules.passOn(id, { id: heirId, minutes }))
      },
    },
    jobsOn: (id) =>
      jobsOnInstance(id, {
        connections,
        over: (lease) => jobsOverSsh({ scripts: from.scripts, lease, clock, randomId }),
      }),
    seal: (text) => seal.seal(text),
    unseal: (sealed) => seal.open(sealed),
    isAsked: (id) => waitsForUser(connections.state(id).value),
    isAlive: (id) => {
      const state = connections.state(id).value
      return state.kind === 'open' && state.silentSince === null
    },
    folderOf,
    outputOf: (id) => JobLog.open(folderOf(id)),
    deleteFiles,
  })
  watch.limitPause(() => (jobs.waitsForList ? advisedPauseMs : null))
  lifetime.follow((signal) => jobs.follow(signal))
  lifetime.follow(async (signal) => {
    for await (const _ of connections.list.watch(signal)) jobs.noteConnections()
  })
  lifetime.onWake(() => jobs.wake())

  async function* watchLog(id: string, signal?: AbortSignal): AsyncGenerator<LogPart, void, void> {
    const output = await jobs.outputOf(id)
    for await (const _ of output.changed.watch(signal)) {
      yield await output.tail(tailBytes)
      await clock.sleep(tellMs)
    }
  }

  return {
    jobs,
    definitions: createDefinitionFiles({ choose: from.chooseProject, umask: from.umask }),
    watchLog,
    readLog: async (id: string, begin: number, bytes: number) => (await jobs.outputOf(id)).read(begin, bytes),
    searchLog: async (id: string, text: string, begin: number) =>
      searchLines(await jobs.outputOf(id), text, begin),
    saveLog: async (id: string): Promise<{ readonly path: string } | null> => {
      const output = await jobs.outputOf(id)
      const path = await from.chooseFile(`slipway-job-${id.slice(0, 8)}.log`)
      if (path === null) return null
      await saveLog(output, path, from.redact)
      return { path }
    },
    showOutputs: async (id: string): Promise<void> => {
      const record = jobs.record(id)
      const outputs = outputsFolderOf(record)
      // Where nothing came back, there is none.
      from.showInFolder((await ifThere(stat(outputs))) === null ? record.folder : outputs)
    },
  }
}
