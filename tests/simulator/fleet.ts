import { join } from 'node:path'
import type { Account, Accounts } from './accounts.ts'
import { ApiError, badRequest } from './api-error.ts'
import { createMeter, type Meter, perHourUsd } from './billing.ts'
import type { Blockade } from './blocked-ports.ts'
import type { Clock } from './clock.ts'
import { type InstanceOrder, LISTED_ORDER } from './create-body.ts'
import type { OfferRecord } from './offers/offer-records.ts'
import type { Offers } from './offers/offers.ts'
import type { OpenSsh } from './machines/openssh.ts'
import { createMachine, type Machine, type SshAddressKind } from './machines/ssh-server.ts'

/** A rented instance. What can change has no `readonly`; only the fleet changes it. */
export interface Instance {
  readonly id: number
  readonly account: Account
  readonly offer: OfferRecord
  readonly order: InstanceOrder
  /** Seconds since the epoch. */
  readonly createdAt: number
  /** The restricted key that the instance itself holds (service API 5, point 4). */
  readonly key: string
  /** Null for instances that are only listed. */
  readonly machine: Machine | null
  /** `actual_status` (service API 3.1). */
  status: string | null
  /** Why the status is what it is, if that is out of the ordinary. */
  statusMessage: string | null
  /** The first status it had that it can't run after (service API 3.1), whatever came since; null as long as it may run. */
  deadEnd: string | null
  /** Whether a stop was asked for last, and not that it runs. */
  isStopped: boolean
  /** Whether its record lists that it's stopped. */
  listsStop: boolean
  /** The SSH port that the service names for both addresses; null for the machine's own. */
  namedSshPort: number | null
  /** What it costs; null for instances that are only listed, which cost nothing. */
  readonly meter: Meter | null
}

/** What is to become of the next instance that is created. */
export interface NextFate {
  readonly actualStatus: string | null
  /** Counted from the creation; left out, it is when the instance would otherwise have become running. */
  readonly afterSeconds?: number | undefined
}

/** What the next stop leads to, which the API leaves open (3.1). */
export interface NextStop {
  readonly actualStatus: (typeof ENDS)[number]
  /** False: nothing of the record tells that somebody stopped it. */
  readonly listsState?: boolean | undefined
}

/** All rented instances and their lives. */
export interface Fleet {
  create(account: Account, offerId: number, order: InstanceOrder): Promise<Instance>
  /** Adds an instance that runs without a machine behind it. */
  addListed(account: Account, offer: OfferRecord): void
  /** The account's instances, the oldest first. */
  listOf(account: Account): readonly Instance[]
  /** One of the account's instances, or with null of anybody's; a 404 if there is none. */
  find(account: Account | null, id: number): Instance
  stop(instance: Instance): Promise<void>
  destroy(instance: Instance): Promise<void>
  /** Ends a boot that is going on, and gives the instance this status; only `running` brings its sshd up. */
  setStatus(instance: Instance, status: string | null): Promise<void>
  /** Takes a running instance's sshd down or brings it up again, which the service does not notice. */
  setSshd(instance: Instance, state: 'up' | 'down'): Promise<void>
  replaceHostKey(instance: Instance): Promise<void>
  configureSshd(instance: Instance, lines: readonly string[]): Promise<void>
  nameSshPort(instance: Instance, port: number | null): void
  /** Blocks one of its SSH addresses, or frees it with `null`; the service does not notice. */
  blockSsh(instance: Instance, of: SshAddressKind, how: Blockade | null): Promise<void>
  planNextFate(fate: NextFate): void
  planNextStop(end: NextStop): void
  /** Waits until nothing is being started or ended. */
  settle(): Promise<void>
}

export interface FleetOptions {
  readonly clock: Clock
  readonly accounts: Accounts
  readonly offers: Offers
  readonly openSsh: OpenSsh
  /** Each instance gets a folder of its own in here. */
  readonly folder: string
  /** How long an instance is in provisioning, and then loading. */
  readonly bootSeconds: readonly [provisioning: number, loading: number]
}

interface Tenancy {
  readonly instance: Instance
  /** Takes back what the clock still holds for it. */
  cancelPlans: () => void
  /** What is done to one instance is done one after the other. */
  queue: Promise<void>
}

const FIRST_ID = 7_100_001
/** What never becomes running again (service API 3.1). */
const DEAD_ENDS: ReadonlySet<string | null> = new Set(['exited', 'unknown', 'offline'])
/** The statuses that a stop may lead to. */
export const ENDS = ['stopped', 'exited', 'unknown', 'offline'] as const

/** What has not happened yet to a new instance. */
const NEW = { statusMessage: null, deadEnd: null, isStopped: false, listsStop: true, namedSshPort: null }

export function createFleet(options: FleetOptions): Fleet {
  const { clock, accounts, offers, openSsh, folder, bootSeconds } = options
  const tenancies = new Map<number, Tenancy>()
  const fates: NextFate[] = []
  const stops: NextStop[] = []
  let nextId = FIRST_ID

  function enqueue({ id }: Instance, work: () => Promise<void>): Promise<void> {
    const tenancy = tenancies.get(id)
    // It was destroyed while somebody was still busy with it.
    if (tenancy === undefined) return Promise.resolve()
    const done = tenancy.queue.then(work)
    // Whoever asked for the work gets its error; the queue goes on.
    tenancy.queue = done.catch(() => undefined)
    return done
  }

  /** The new price counts from when the status fell due, though the machine took its time. */
  function become(instance: Instance, status: string | null, dueSeconds: number, message?: string): void {
    instance.status = status
    if (DEAD_ENDS.has(status)) instance.deadEnd ??= status
    instance.statusMessage = message ?? null
    instance.meter?.setPrice(perHourUsd(instance), dueSeconds)
  }

  async function enter(instance: Instance, status: string | null, dueSeconds: number): Promise<void> {
    if (status === 'running') await instance.machine?.up()
    else await instance.machine?.down()
    become(instance, status, dueSeconds)
  }

  /** A step of a boot has nobody who waits for it, so a failure shows as the service would show it. */
  const step = (instance: Instance, status: string | null, dueSeconds: number): Promise<void> =>
    enqueue(instance, async () => {
      try {
        await enter(instance, status, dueSeconds)
      } catch (error) {
        become(instance, 'exited', dueSeconds, `the simulator could not start it: ${String(error)}`)
      }
    })

  function planBoot(instance: Instance, fate: NextFate | undefined): () => void {
    const [provisioning, loading] = bootSeconds
    const endOfBoot = provisioning + loading
    const plan = (seconds: number, status: string | null, isFate = false): (() => void) => {
      const dueSeconds = instance.createdAt + seconds
      return clock.schedule(dueSeconds * 1000, () => {
        if (isFate) cancelPlans(instance)
        return step(instance, status, dueSeconds)
      })
    }
    const cancels = [plan(provisioning, 'loading')]
    if (fate === undefined || fate.afterSeconds !== undefined) cancels.push(plan(endOfBoot, 'running'))
    if (fate !== undefined) cancels.push(plan(fate.afterSeconds ?? endOfBoot, fate.actualStatus, true))
    return () => cancels.forEach((cancel) => cancel())
  }

  const cancelPlans = ({ id }: Instance): void => tenancies.get(id)?.cancelPlans()

  function add(instance: Instance): Tenancy {
    const tenancy: Tenancy = { instance, cancelPlans: () => undefined, queue: Promise.resolve() }
    tenancies.set(instance.id, tenancy)
    return tenancy
  }

  async function setStatus(instance: Instance, status: string | null): Promise<void> {
    if (status === 'running' && instance.deadEnd !== null) {
      throw badRequest(`instance ${String(instance.id)} was ${instance.deadEnd}, and never runs again`)
    }
    // What else becomes of it changes nothing of what was asked for.
    if (status === 'stopped') instance.isStopped = true
    else if (!DEAD_ENDS.has(status)) instance.isStopped = false
    cancelPlans(instance)
    await enqueue(instance, () => enter(instance, status, clock.nowSeconds()))
  }

  return {
    async create(account, offerId, order) {
      const offer = offers.rent(offerId)
      const fate = fates.shift()
      const id = nextId++
      const key = accounts.createInstanceKey(account, id)
      const variables = Object.entries(order.env).filter(([name]) => !name.startsWith('-'))
      const machineOrder = {
        instanceId: id,
        folder: join(folder, String(id)),
        authorizedKeys: account.isKeyInstalled ? account.sshKey : '',
        environment: Object.fromEntries(variables),
        ownEnvironment: { CONTAINER_API_KEY: key },
        startScript: order.onstart,
      }
      const machine = await createMachine(machineOrder, openSsh).catch((error: unknown) => {
        offers.release(offerId)
        throw error
      })
      const createdAt = clock.nowSeconds()
      const meter = createMeter()
      const state = { ...NEW, status: null }
      const instance: Instance = { id, account, offer, order, createdAt, key, machine, meter, ...state }
      become(instance, null, createdAt)
      account.chargesUsd.set(id, () => meter.totalUsd(clock.nowSeconds()))
      const tenancy = add(instance)
      tenancy.cancelPlans = planBoot(instance, fate)
      return instance
    },
    addListed(account, offer) {
      const id = nextId++
      const key = accounts.createInstanceKey(account, id)
      const state = { ...NEW, status: 'running' }
      // A different age for each, up to some weeks.
      const createdAt = clock.nowSeconds() - ((id * 7919) % 2_000_000)
      add({ id, account, offer, order: LISTED_ORDER, createdAt, key, machine: null, meter: null, ...state })
    },
    listOf: (account) =>
      [...tenancies.values()].flatMap(({ instance }) => (instance.account === account ? [instance] : [])),
    find(account, id) {
      const instance = tenancies.get(id)?.instance
      if (instance === undefined || (account !== null && instance.account !== account)) {
        throw new ApiError(404, 'no_such_instance', `there is no instance ${String(id)}`)
      }
      return instance
    },
    stop(instance) {
      const { actualStatus, listsState = true } = stops.shift() ?? { actualStatus: 'stopped' }
      instance.isStopped = true
      instance.listsStop = listsState
      return setStatus(instance, actualStatus)
    },
    async destroy(instance) {
      cancelPlans(instance)
      await enqueue(instance, async () => {
        // Somebody else may have asked for it a moment earlier.
        if (!tenancies.has(instance.id)) return
        await instance.machine?.remove()
        tenancies.delete(instance.id)
        instance.meter?.setPrice(0, clock.nowSeconds())
        accounts.revoke(instance.key)
        offers.release(instance.offer.id)
      })
    },
    setStatus,
    async setSshd(instance, state) {
      const { machine, status, id } = instance
      if (machine === null || status !== 'running') throw badRequest(`instance ${String(id)} has no sshd now`)
      await enqueue(instance, () => (state === 'up' ? machine.up() : machine.down()))
    },
    async replaceHostKey(instance) {
      await enqueue(instance, async () => instance.machine?.replaceHostKey())
    },
    async configureSshd(instance, lines) {
      await enqueue(instance, async () => instance.machine?.configure(lines))
    },
    async blockSsh(instance, of, how) {
      await enqueue(instance, async () => instance.machine?.block(of, how))
    },
    nameSshPort: (instance, port) => {
      instance.namedSshPort = port
    },
    planNextFate: (fate) => void fates.push(fate),
    planNextStop: (end) => void stops.push(end),
    async settle() {
      await Promise.all([...tenancies.values()].map(({ queue }) => queue))
    },
  }
}
