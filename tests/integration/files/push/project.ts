import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { z } from 'zod'
import { Latest } from '#domain/base/latest.ts'
import type { HeldBack, ProjectDraft, ProjectState } from '#domain/files/project.ts'
import { nothingListed, type InstancesSnapshot } from '#domain/instances/instance.ts'
import { PushedFiles, pushedLine } from '#services/files/push/pushed-files.ts'
import { Projects, type projectsFile } from '#services/files/push/projects.ts'
import { deleteOthers } from '#services/storage/disk.ts'
import { openJournal } from '#services/storage/journal.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { memoryFile } from '../../../support/memory-file.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { localTreeOf } from '../instance.ts'
import { openSync, type SyncTestOptions } from './folders.ts'

/** What a run of Slipway leaves to the next one. */
export async function makeDisk() {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-pushed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return { folder, file: memoryFile<z.infer<typeof projectsFile.schema>>([]) }
}

/** A list with the instance, as the service tells it. */
export function listOf(status: string, ids: readonly number[] = [1]): InstancesSnapshot {
  const instances = ids.map((id) => ({
    ...{ id, status, record: { id }, history: [{ status, at: 0 }], pending: null },
  }))
  return { ...nothingListed, instances, fetchedAt: systemClock.now() }
}

/** Nothing waits for the user. */
export const nothingHeld: HeldBack = { conflict: 0, gone: 0, uncovered: 0 }

/** The app's projects, on what a run before has left. */
export async function openProjects(
  options: SyncTestOptions & { readonly disk?: Awaited<ReturnType<typeof makeDisk>> },
) {
  const disk = options.disk ?? (await makeDisk())
  const snapshot = new Latest(listOf('running'))
  const { sync } = openSync(options)
  let made = 0
  const projects = new Projects({
    ...{ sync, file: disk.file, snapshot, clock: systemClock },
    localTree: options.localTree ?? localTreeOf(options.local),
    pushedOf: (id) =>
      new PushedFiles(
        openJournal({
          ...{ path: join(disk.folder, `${id}.jsonl`), schema: pushedLine },
          onNotice: (notice) => {
            throw new Error(notice.detail)
          },
        }),
      ),
    keepPushed: (ids) => deleteOthers(disk.folder, new Set(ids.map((id) => `${id}.jsonl`))),
    isConnected: () => false,
    platform: process.platform,
    randomId: () => `project-${(made += 1)}`,
    log: memoryLog(),
  })
  const end = new AbortController()
  onTestFinished(async () => {
    end.abort()
    await projects.dispose()
  })
  void projects.follow(end.signal)

  async function until(holds: (state: ProjectState) => boolean): Promise<ProjectState> {
    for await (const [first] of projects.state.watch()) if (first && holds(first)) return first
    throw new Error('nothing is watched any more')
  }
  const save = (draft: Partial<ProjectDraft>): Promise<{ readonly id: string }> =>
    projects.save({
      ...{ id: null, instanceId: 1, local: options.local, remote: '~/app', honorGitignore: true },
      ...{ excludes: [], removeGone: false, pushOnSave: false, ...draft },
    })
  const review = (id: string) => projects.review(id, end.signal)
  /** Pushes, and resolves when that is over. */
  const push = async (id: string, answers: Partial<Parameters<Projects['push']>[1]> = {}) => {
    const before = projects.state.value.find(({ project }) => project.id === id)?.last
    projects.push(id, { replace: [], remove: [], keep: [], ...answers })
    return until(({ phase, last }) => (phase.kind === 'idle' && last !== before) || phase.kind === 'failed')
  }
  /** With push on save, after the first push that it waits for. */
  const saveReviewed = async (draft: Partial<ProjectDraft> = {}): Promise<string> => {
    const { id } = await save({ pushOnSave: true, ...draft })
    await review(id)
    await push(id)
    return id
  }
  return { projects, snapshot, disk, until, save, saveReviewed, review, push, end }
}
