import type { Clock } from '../../domain/base/clock.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Log } from '../../domain/base/log.ts'
import { retryNotification, type Notification } from '../../domain/notifications/notification.ts'
import { identityOf } from '../../domain/instances/instance-identity.ts'
import { phaseOf } from '../../domain/renting/retry.ts'
import type { RentOptions } from '../../domain/renting/rent-request.ts'
import type { Compress } from '../../domain/renting/onstart.ts'
import type { InstancesService } from '../instances/open-instances.ts'
import type { Http } from '../rental-api/http.ts'
import { createInstance } from '../rental-api/instances.ts'
import type { Folder } from '../storage/folder.ts'
import { openJournal } from '../storage/journal.ts'
import { withLatestHash } from './create-body.ts'
import { AutoRent, type AutoRentOptions, type AutoRentOrder } from './auto-rent.ts'
import { autoRentEntry, damaged } from './auto-rent-journal.ts'
import { orderEntry, Orders } from './orders.ts'
import { retryEntry } from './retry-journal.ts'
import { createRetryRequests } from './retry-requests.ts'
import type { RetryServices } from './retry-services.ts'
import { Retries, type RetriesOptions } from './retries.ts'
import { createRentalRequests, type RentalRequestsOptions } from './rental-requests.ts'
import { Renting, type RentingOptions } from './renting.ts'
import { rentalEntry } from './rental-journal.ts'

export interface RentingDependencies
  extends
    Pick<RentalRequestsOptions, 'publicKey' | 'keepKey' | 'latestHash'>,
    Pick<RetryServices, 'search' | 'isBlocked'>,
    Pick<RentingOptions, 'onRented'>,
    Pick<AutoRentOptions, 'watched' | 'moneyObstacle'> {
  readonly http: Http
  readonly file: Folder['file']
  readonly instances: Pick<InstancesService, 'watch' | 'activity' | 'caretakerActions'>
  readonly compress: Compress
  /** For what will be rented later, which may hold secrets. */
  readonly seal: { readonly seal: RetriesOptions['seal']; readonly open: RetryServices['unseal'] }
  readonly notify: (notification: Notification) => void
  /** Tells the redactor of a secret. */
  readonly remember: (secret: string) => void
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
}

export type RentingService = Awaited<ReturnType<typeof openRenting>>

/**
 * Renting once, trying until an instance runs, and renting what watched searches find.
 *
 * @throws ProblemError storage-failed when the journal of what is being tried or rented automatically cannot be read: a
 *   rental of it would be forgotten
 */
export async function openRenting(from: RentingDependencies, lifetime: Lifetime) {
  const { http, file, instances, seal, notify, remember, latestHash, clock, randomId, log } = from
  const { watch, activity } = instances

  const renting = new Renting({
    create: async (offerId, body) => {
      const created = await createInstance(http, offerId, withLatestHash(body, latestHash))
      if (created.instanceKey !== null) remember(created.instanceKey)
      void activity.note(created.instanceId, { kind: 'rented', offerId })
      return created
    },
    watch,
    onRented: from.onRented,
    journal: openJournal({ ...file('rentals.jsonl'), schema: rentalEntry }),
    clock,
    randomId,
    log,
  })
  const retries = new Retries({
    ...from,
    watch,
    rent: (offerId, body, rentalId) => renting.rent(offerId, body, rentalId),
    fateOf: (rentalId) => renting.fateOf(rentalId),
    destroy: instances.caretakerActions.destroy,
    journal: openJournal({ ...file('chains.jsonl'), schema: retryEntry }),
    seal: (text) => seal.seal(text),
    unseal: (sealed) => seal.open(sealed),
    onEnded: ({ steps }) => {
      const phase = phaseOf(steps)
      const notification = phase.kind === 'ended' ? retryNotification(phase.outcome) : null
      if (notification !== null) notify(notification)
    },
  })
  const orders = new Orders({
    journal: openJournal({ ...file('orders.jsonl'), schema: orderEntry }),
    seal: (text) => seal.seal(text),
    identityOf: (id) => identityOf(watch.find(id)?.record ?? {}),
    now: () => clock.now(),
    log,
  })
  const autoRent = new AutoRent({
    ...from,
    watch,
    rent: (offerId, body, rentalId, mayGo) => renting.rent(offerId, body, rentalId, mayGo),
    fateOf: (rentalId) => renting.fateOf(rentalId),
    journal: openJournal({ ...file('auto-rent.jsonl'), schema: autoRentEntry, damaged }),
    seal: (text) => seal.seal(text),
    unseal: (sealed) => seal.open(sealed),
    keepOrder: (instanceId, body, next) => orders.keep(instanceId, body, next),
    isRetrying: () => retries.isTrying,
  })
  await orders.open()
  await retries.open()
  await autoRent.open()
  try {
    await renting.resume((id) => retries.holds(id) || autoRent.holds(id))
  } catch (error) {
    log.error(
      'The renting journal could not be read; open rentals are taken up when Slipway next starts',
      error,
    )
  }
  const requests = createRentalRequests({ ...from, renting, orders })

  for (const one of [renting, retries, autoRent]) lifetime.follow((signal) => one.follow(signal))
  return {
    preview: requests.preview,
    rent: requests.rent,
    dismissNotice: (id: string) => renting.dismiss(id),
    retries: createRetryRequests({
      ...from,
      retries,
      orders,
      bodyOf: requests.body,
      unseal: (text) => seal.open(text),
    }),
    autoRent: {
      state: autoRent.state,
      begin: ({ options, ...order }: Omit<AutoRentOrder, 'body'> & { readonly options: RentOptions }) =>
        autoRent.begin({ ...order, body: requests.body(options) }),
      stop: (id: string) => autoRent.stop(id),
      stopAll: () => autoRent.stopAll(),
      dismiss: (id: string) => autoRent.dismiss(id),
    },
    /** How many saved searches rent automatically. */
    autoRents: () => autoRent.armed,
    /** Whether what is being tried deals with an instance by itself, so that its end is no news. */
    seesTo: retries.seesTo,
    isTrying: () => retries.isTrying,
  }
}
