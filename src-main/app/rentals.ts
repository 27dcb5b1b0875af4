import { gzipSync } from 'node:zlib'
import type { Clock } from '../domain/base/clock.ts'
import { ownerOf } from '../domain/base/account-identity.ts'
import type { Log } from '../domain/base/log.ts'
import type { RentBody } from '../domain/renting/rent-body.ts'
import { actionEntry } from '../services/instances/action-journal.ts'
import { createInstanceActions } from '../services/instances/actions.ts'
import { ActivityLog, activityLine } from '../services/instances/activity.ts'
import type { InstanceLinks } from '../services/instances/links.ts'
import { KeptKeys } from '../services/instances/kept-keys.ts'
import { InstanceList, lastInstancesFile } from '../services/instances/list.ts'
import { OwnWordsBook, ownWordsFile } from '../services/instances/own-words.ts'
import { recordActions } from '../services/instances/recorded-actions.ts'
import { createRentDesk } from '../services/renting/rent-desk.ts'
import { Renting, type RentingOptions } from '../services/renting/renting.ts'
import { rentalEntry } from '../services/renting/rental-journal.ts'
import { InstanceWatch } from '../services/instances/watch.ts'
import type { Services } from '../ipc/services.ts'
import type { ConnectedAccount } from '../services/accounts/connected-account.ts'
import {
  createInstance,
  destroyInstance,
  listInstances,
  stopInstance,
} from '../services/rental-api/instances.ts'
import { openJournal } from '../services/storage/journal.ts'
import { openJsonFile, type JsonFilePlace } from '../services/storage/json-file.ts'
import type { Vault } from '../services/vault/vault.ts'

export interface RentalsOptions extends Required<Pick<RentingOptions, 'isHeld'>> {
  readonly account: Pick<ConnectedAccount, 'http' | 'identity'>
  readonly vault: Pick<Vault, 'instanceKeys' | 'sshKey'>
  readonly file: (name: string) => JsonFilePlace
  readonly clock: Clock
  /** 0 to below 1. */
  readonly random: () => number
  readonly randomId: () => string
  readonly log: Log
  /** Tells the redactor of a secret. */
  readonly remember: (secret: string) => void
  /** The hash id that a template has now. */
  readonly latestHash: (hash: string) => string
}

/** What is rented, put together by {@link composeRentals}. */
export type Rentals = Awaited<ReturnType<typeof composeRentals>>

/**
 * The part of the composition root that puts together what is rented: renting, the list, what the user and
 * Slipway have done with each instance, and what is kept of it.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function composeRentals(options: RentalsOptions) {
  const { account, vault, file, clock, random, randomId, log } = options
  const { remember, isHeld, latestHash } = options
  const { http } = account
  const lastList = await openJsonFile({ ...file('last-instances.json'), ...lastInstancesFile })
  const ownWords = await openJsonFile({ ...file('instance-words.json'), ...ownWordsFile })

  const watch = new InstanceWatch({ list: (signal) => listInstances(http, signal), clock, random, log })
  const own = new OwnWordsBook({ file: ownWords, now: clock.now })
  const list = new InstanceList({ watch, own, file: lastList, clock, log })
  const { remembered } = list
  const activity = new ActivityLog({
    journal: openJournal({ ...file('activity.jsonl'), schema: activityLine }),
    watch,
    remembered,
    clock,
    log,
  })

  /** A chain may have been begun before its template was edited. */
  function followed({ template_hash_id: hash, ...body }: RentBody): RentBody {
    return hash === undefined ? body : { template_hash_id: latestHash(hash), ...body }
  }

  const renting = new Renting({
    create: async (offerId, body) => {
      const created = await createInstance(http, offerId, followed(body))
      if (created.instanceKey !== null) remember(created.instanceKey)
      void activity.note(created.instanceId, { kind: 'rented', offerId })
      return created
    },
    watch,
    journal: openJournal({ ...file('rentals.jsonl'), schema: rentalEntry }),
    clock,
    randomId,
    isHeld,
    log,
  })
  const keptKeys = new KeptKeys({
    forgetGone: async (listed) => vault.instanceKeys.forgetGone(ownerOf(account.identity()), listed),
    watch,
    log,
  })
  const rentDesk = createRentDesk({
    renting,
    publicKey: () => vault.sshKey.publicKey(),
    compress: (text) => gzipSync(text, { level: 9 }).toString('base64'),
    keepKey: async (instanceId, key) => vault.instanceKeys.keep(ownerOf(account.identity()), instanceId, key),
    latestHash,
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

  const actionsBy = (by: 'user' | 'caretaker') => recordActions(actions, { activity, watch, by })

  return {
    watch,
    list,
    activity,
    renting,
    rentDesk,
    /** Stopping and destroying, noted in the log of the instance. */
    actionsBy,
    /** What the window is served of it. */
    services: (links: InstanceLinks): Services['instances'] => ({
      list: list.list,
      watch,
      actions: actionsBy('user'),
      activity,
      own,
      links,
      rent: rentDesk.rent,
      forgetAction: (instanceId) => actions.forget(instanceId),
      dismissNotice: (id) => renting.dismiss(id),
    }),
    /** Takes up what earlier runs left, as far as it can be read. */
    resume: async (): Promise<void> => {
      try {
        await renting.resume()
      } catch (error) {
        log.error('The renting journal could not be read; open rentals are taken up at the next start', error)
      }
      for (const { open } of [activity, actions]) {
        try {
          await open()
        } catch (error) {
          log.error('What was kept for this account could not be read', error)
        }
      }
    },
    follow: (signal: AbortSignal): Promise<unknown> =>
      Promise.all([
        list.follow(signal),
        activity.follow(signal),
        renting.follow(signal),
        actions.follow(signal),
        keptKeys.follow(signal),
      ]),
  }
}
