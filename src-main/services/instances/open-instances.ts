import type { Clock } from '../../domain/base/clock.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import type { Preferences } from '../../domain/settings/settings.ts'
import type { Http } from '../rental-api/http.ts'
import { destroyInstance, listInstances, stopInstance } from '../rental-api/instances.ts'
import type { Folder } from '../storage/folder.ts'
import { openJournal } from '../storage/journal.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { openPerInstanceFile } from '../storage/per-instance-file.ts'
import { actionEntry } from './action-journal.ts'
import { createInstanceActions } from './actions.ts'
import { ActivityLog, activityLine } from './activity.ts'
import { InstanceKeyCleanup, type InstanceKeyCleanupOptions } from './instance-key-cleanup.ts'
import { InstanceList, lastInstancesFile, instanceNotesFile } from './list.ts'
import { logActions } from './logged-actions.ts'
import { InstanceWatch } from './watch.ts'

export interface InstancesDependencies extends Pick<InstanceKeyCleanupOptions, 'forgetGone'> {
  readonly http: Http
  readonly file: Folder['file']
  readonly preferences: Pick<Latest<Preferences>, 'value' | 'watch'>
  readonly clock: Clock
  /** 0 to below 1. */
  readonly random: () => number
  readonly log: Log
}

export type InstancesService = Awaited<ReturnType<typeof openInstances>>

/**
 * The account's instances: the one poll, their list, what the user and Slipway have done with each, and what is kept
 * of it. The poll is begun by its owner (`watch.start`).
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openInstances(from: InstancesDependencies, lifetime: Lifetime) {
  const { http, file, forgetGone, preferences, clock, random, log } = from
  const lastList = await openJsonFile({ ...file('last-instances.json'), ...lastInstancesFile })
  const own = await openPerInstanceFile({ ...file('instance-words.json'), ...instanceNotesFile })

  const watch = new InstanceWatch({
    list: (signal) => listInstances(http, signal),
    restingPauseMs: () => preferences.value.restingPauseSeconds * 1000,
    clock,
    random,
    log,
  })
  const list = new InstanceList({ watch, own, file: lastList, clock, log })
  const activity = new ActivityLog({
    journal: openJournal({ ...file('activity.jsonl'), schema: activityLine }),
    watch,
    remembered: list.remembered,
    clock,
    log,
  })
  const actions = createInstanceActions({
    stop: (id) => stopInstance(http, id),
    destroy: (id) => destroyInstance(http, id),
    watch,
    journal: openJournal({ ...file('actions.jsonl'), schema: actionEntry }),
    clock,
    log,
  })
  const instanceKeyCleanup = new InstanceKeyCleanup({ forgetGone, watch, log })
  for (const { open } of [activity, actions])
    try {
      await open()
    } catch (error) {
      log.error('What was kept for this account could not be read', error)
    }

  for (const one of [list, activity, actions, instanceKeyCleanup])
    lifetime.follow((signal) => one.follow(signal))
  lifetime.follow(async (signal) => {
    for await (const _ of preferences.watch(signal)) watch.repace()
  })
  lifetime.onWake(() => void watch.refresh())
  // Not before: rules and retries that still run go by the list.
  lifetime.signal.addEventListener('abort', () => watch.stop(), { once: true })
  return {
    watch,
    list,
    own,
    activity,
    /** Stopping and destroying, noted in the log of the instance as what its user asked for. */
    actions: logActions(actions, { activity, watch, by: 'user' }),
    /** The same, asked for by what acts on its own. */
    caretakerActions: logActions(actions, { activity, watch, by: 'caretaker' }),
    forgetAction: actions.forget,
  }
}
