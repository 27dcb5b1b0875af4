import { createAdaptorServer } from '@hono/node-server'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath } from 'node:fs/promises'
import { Server } from 'node:http'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { accountEndpoints } from './account.ts'
import { type Account, type Accounts, createAccounts } from './accounts.ts'
import type { Blockade } from './blocked-ports.ts'
import { type Clock, createClock } from './clock.ts'
import { cloudEndpoints } from './cloud-connections.ts'
import { createControl } from './control.ts'
import { createFaults, type Faults } from './faults/faults.ts'
import { createFleet, type NextFate, type NextStop } from './fleet.ts'
import { instanceEndpoints } from './instances.ts'
import { createJournal, type JournalEntry } from './journal.ts'
import { createOfferRecords } from './offers/offer-records.ts'
import { createOffers, offerEndpoints } from './offers/offers.ts'
import { createOpenAccount, type OpenAccount } from './open-account.ts'
import { findOpenSsh } from './machines/openssh.ts'
import { createRandom } from './random.ts'
import type { SshAddressKind } from './machines/ssh-server.ts'
import { createService } from './service.ts'
import { twoFactorEndpoints } from './two-factor/endpoints.ts'
import { createTwoFactor } from './two-factor/two-factor.ts'
import { createTwoFactorWorld, type TwoFactorWorld } from './two-factor/world.ts'
import { templateEndpoints } from './templates/template-endpoints.ts'
import {
  CATALOG_SIZE,
  createTemplateRecords,
  type NewTemplateFields,
  templateOfOther,
} from './templates/template-records.ts'
import { createTemplates } from './templates/templates.ts'

export interface SimulatorOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number | undefined
  /** The same seed gives the same offers, accounts and keys. */
  readonly seed?: number | undefined
  readonly offers?: number | undefined
  /** Instances of the default account that are listed as running, with no machine behind them. */
  readonly instances?: number | undefined
  /** Public templates of other people. */
  readonly templates?: number | undefined
  /** Simulated seconds that an instance is in provisioning, and then loading. */
  readonly bootSeconds?: readonly [provisioning: number, loading: number] | undefined
  /** Public SSH key of the default account; empty by default. */
  readonly sshKey?: string | undefined
  /** In place of the machine's clock, in milliseconds since the epoch: one that stands is moved by `advance` alone. */
  readonly machineNow?: () => number
}

/** A rental service that runs on 127.0.0.1, in the hands of a test. */
export interface Simulator {
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** API key of the default account. */
  readonly key: string
  /** Login name of the instances: root when root runs the simulator, else the name of the user who does. */
  readonly sshUser: string
  /** Makes a fresh account of that kind. */
  readonly account: OpenAccount
  /** What an account's owner does with its keys in the console. */
  readonly keys: {
    /** Another key of the account that this one is of. */
    readonly create: Accounts['createKey']
    /** Gives a key other permissions, as the web console may. */
    readonly limit: Accounts['limit']
    readonly revoke: Accounts['revoke']
  }
  readonly twoFactor: TwoFactorWorld
  journal(): readonly JournalEntry[]
  readonly faults: Faults
  readonly clock: Pick<Clock, 'now' | 'advance'>
  readonly offers: {
    /** Changes fields of an offer, as its host does. */
    change(id: number, fields: Readonly<Record<string, unknown>>): void
  }
  readonly templates: {
    /** Another public template of somebody else, however long. Answers with its id. */
    add(fields: NewTemplateFields): number
  }
  readonly instances: {
    /** Home folder of an instance on this machine; null for one that is only listed. */
    homeOf(id: number): string | null
    /** Gives it this `actual_status` at once and for good. */
    setFate(id: number, actualStatus: string | null): Promise<void>
    planNextFate(fate: NextFate): void
    /** What the next stop of any instance leads to. */
    planNextStop(end: NextStop): void
    setSshd(id: number, state: 'up' | 'down'): Promise<void>
    replaceHostKey(id: number): Promise<void>
    /** Gives its sshd these lines of sshd_config(5), which count before all others, and starts it anew if it is up. */
    configureSshd(id: number, lines: readonly string[]): Promise<void>
    /** Blocks one of its SSH addresses, or frees it with `null`; its connections end. */
    blockSsh(id: number, of: SshAddressKind, how: Blockade | null): Promise<void>
    /** From now on the service names this SSH port, and no other: of what stands between. `null` is the machine's own. */
    nameSshPort(id: number, port: number | null): void
  }
  /** Ends the service with every instance, and removes their files. */
  close(): Promise<void>
}

/** Starts a simulator; throws if the machine has no OpenSSH server or the port is taken. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const {
    port = 0,
    seed = 1,
    offers: offerCount = 200,
    instances = 0,
    templates: templateCount = CATALOG_SIZE,
    bootSeconds = [4, 8],
    sshKey,
  } = options
  const openSsh = await findOpenSsh()
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'slipway-simulator-'))
  const reaper = spawn(process.execPath, [join(import.meta.dirname, 'machines', 'reaper.ts'), folder], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  })

  const clock = createClock(options.machineNow)
  const accounts = createAccounts(createRandom(seed), clock.nowSeconds())
  const offers = createOffers(createOfferRecords(offerCount, createRandom(seed + 1), clock.nowSeconds()))
  const templateRandom = createRandom(seed + 3)
  const templates = createTemplates(createTemplateRecords(templateCount, templateRandom, clock.nowSeconds()))
  const faults = createFaults()
  const journal = createJournal()
  const fleet = createFleet({ clock, accounts, offers, openSsh, folder, bootSeconds })

  const listedRandom = createRandom(seed + 2)
  const seedInstances = (account: Account, count: number): void => {
    for (const offer of createOfferRecords(count, listedRandom, clock.nowSeconds()))
      fleet.addListed(account, offer)
  }
  const twoFactor = createTwoFactor({ clock, accounts })
  const openAccount = createOpenAccount({ accounts, twoFactor, seedInstances })
  const { key } = openAccount('default', { sshKey, instances })
  const twoFactorWorld = createTwoFactorWorld(twoFactor)

  const endpoints = [
    ...accountEndpoints(twoFactor),
    ...offerEndpoints(offers),
    ...instanceEndpoints(fleet, templates, clock),
    ...templateEndpoints(templates, clock),
    ...cloudEndpoints(),
    ...twoFactorEndpoints(twoFactor),
  ]
  const control = createControl({
    accounts,
    clock,
    faults,
    fleet,
    journal,
    offers,
    openAccount,
    twoFactor: twoFactorWorld,
  })
  const service = createService({ endpoints, control, accounts, clock, faults, journal })
  const server = createAdaptorServer({ fetch: service.fetch })

  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= shutDown())

  async function shutDown(): Promise<void> {
    if (server.listening) {
      const closed = once(server, 'close')
      server.close()
      if (server instanceof Server) server.closeAllConnections()
      await closed
    }
    clock.stop()
    await fleet.settle()
    const reaped = once(reaper, 'exit')
    reaper.stdin.end()
    await reaped
    if (reaper.exitCode !== 0) throw new Error(`the simulator could not clean up ${folder}`)
  }

  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    await close()
    throw error
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP port')

  return {
    baseUrl: `http://127.0.0.1:${String(address.port)}`,
    key,
    sshUser: userInfo().username,
    account: openAccount,
    keys: {
      create: (of, categories) => accounts.createKey(of, categories),
      limit: (key, categories) => accounts.limit(key, categories),
      revoke: (key) => accounts.revoke(key),
    },
    twoFactor: twoFactorWorld,
    journal: () => journal.entries(),
    faults,
    clock,
    offers: { change: (id, fields) => offers.change(id, fields) },
    templates: { add: (fields) => templates.create(templateOfOther(fields, clock.nowSeconds())).id },
    instances: {
      homeOf: (id) => fleet.find(null, id).machine?.home ?? null,
      setFate: (id, actualStatus) => fleet.setStatus(fleet.find(null, id), actualStatus),
      planNextFate: (fate) => fleet.planNextFate(fate),
      planNextStop: (end) => fleet.planNextStop(end),
      setSshd: (id, state) => fleet.setSshd(fleet.find(null, id), state),
      replaceHostKey: (id) => fleet.replaceHostKey(fleet.find(null, id)),
      configureSshd: (id, lines) => fleet.configureSshd(fleet.find(null, id), lines),
      blockSsh: (id, of, how) => fleet.blockSsh(fleet.find(null, id), of, how),
      nameSshPort: (id, port) => fleet.nameSshPort(fleet.find(null, id), port),
    },
    close,
  }
}
