import type { Clock } from '#domain/base/clock.ts'
import type { FlowGoal, FlowStep, TwoFactorFlow } from '#domain/two-factor/flow.ts'
import { sessionProblemOf } from '#domain/rental-api/service-errors.ts'
import type { KnownTwoFactor } from '#domain/two-factor/two-factor.ts'
import { createAccountKey } from '#services/accounts/account-key.ts'
import { createTwoFactorClient } from '#services/rental-api/two-factor.ts'
import { PendingSteps, twoFactorFile, type TwoFactorNotes } from '#services/two-factor/pending-steps.ts'
import type { GuidedFlow } from '#services/two-factor/flow/guided-flow.ts'
import { TwoFactor } from '#services/two-factor/two-factor.ts'
import type { JsonFile } from '#services/storage/json-file.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { createKeychain } from '#services/vault/keychain/keychain.ts'
import type { RememberedClock } from '#services/vault/codes/corrected-clock.ts'
import { CorrectedClock } from '#services/vault/codes/corrected-clock.ts'
import { createVault, type Vault } from '#services/vault/vault.ts'
import type { VaultIndexFile } from '#services/vault/vault-index.ts'
import type { JournalEntry } from '../../simulator/journal.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { settle } from '../../support/fake-clock.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type FakeBackend, fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { memoryIndex } from '../../unit/vault/memory-index.ts'
import type { Person } from '../simulator/two-factor-person.ts'

/** What is left of a run when it ends: keychain and disk. */
export interface Disk {
  readonly backend: FakeBackend
  readonly index: VaultIndexFile
  readonly pendingSteps: JsonFile<TwoFactorNotes>
}

export const emptyDisk = (): Disk => ({
  backend: fakeBackend(),
  index: memoryIndex(),
  pendingSteps: memoryFile<TwoFactorNotes>(twoFactorFile.fallback),
})

export interface WorldOptions {
  readonly disk?: Disk
  /** How far this machine's clock is ahead of the service's. */
  readonly aheadMs?: number
  /** In place of the network. */
  readonly fetch?: typeof globalThis.fetch
  /** In place of waiting, for deadlines of requests and before they are made again. */
  readonly sleep?: Clock['sleep']
}

/** Everything of the program that a procedure touches, against a real service over HTTP. */
export interface World {
  readonly twoFactor: TwoFactor
  readonly vault: Vault
  readonly backend: FakeBackend
  readonly log: ReturnType<typeof memoryLog>
  /** Secrets that the log was told of. */
  readonly remembered: ReadonlySet<string>
  known(): KnownTwoFactor
  flow(): TwoFactorFlow
  /** The present step, which is of this kind. */
  step<K extends FlowStep['kind']>(kind: K): Extract<FlowStep, { kind: K }>
  begin(goal: FlowGoal): Promise<GuidedFlow>
  /** Lets simulated time go by, here and at the service. */
  pass(seconds: number): Promise<void>
  /** The same while the machine is suspended: no timer ends, and the program is told when it wakes. */
  suspend(seconds: number): Promise<void>
  /** Asks for the account's record, as its keeper does when the service answers again. */
  checkAccount(): Promise<void>
  /** Puts another key of the account in the place of the one in use, which the service takes no more from then on. */
  renewKey(): Promise<void>
  /** As the app does it: the procedure under way ends, too. */
  signOut(): Promise<void>
  /** Requests of this account since the world began (or since `mark`), as "POST tfa/sms/". */
  requests(): readonly string[]
  mark(): void
  /** The next start of the program with what is on the disk. */
  restart(options?: Omit<WorldOptions, 'disk'>): Promise<World>
}

export async function startWorld(
  simulator: Simulator,
  person: Person,
  { disk = emptyDisk(), aheadMs = 0, fetch = globalThis.fetch, sleep = systemClock.sleep }: WorldOptions = {},
): Promise<World> {
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>()
  const now = (): number => simulator.clock.now() + aheadMs
  /** Its sleepers wake when the simulator's time has come, not when the machine's has. */
  const clock: Clock = {
    now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { until: now() + ms, wake: resolve }
        sleepers.add(sleeper)
        const stop = (): void => {
          sleepers.delete(sleeper)
          reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
        }
        if (signal?.aborted) stop()
        else signal?.addEventListener('abort', stop, { once: true })
      }),
  }
  const log = memoryLog()
  const remembered = new Set<string>()
  const remember = (secret: string): void => void remembered.add(secret)
  const bootedAt = now()
  const correctedClock = new CorrectedClock({
    times: () => ({
      wallMs: now(),
      awakeMs: now() - bootedAt,
      uptimeMs: now() - bootedAt,
      bootId: 'boot',
    }),
    file: memoryFile<RememberedClock>(null),
    log,
  })
  const vault = createVault({
    keychain: createKeychain({ backend: disk.backend, clock: systemClock, deadlineMs: 5000 }),
    index: disk.index,
    clock,
    correctedClock,
    randomId: () => crypto.randomUUID(),
    makeKeyPair: () => {
      throw new Error('no SSH key is made here')
    },
    remember,
  })
  const inUse = stored(simulator, await person.user())
  let { key } = person
  const account = createAccountKey({
    fetch,
    clock: { now, sleep },
    random: () => 0,
    keys: {
      read: () => Promise.resolve({ kind: 'found', value: key }),
      keep: () => Promise.resolve({ keptIn: 'keychain' }),
      forget: () => Promise.resolve(),
    },
    file: { read: () => inUse, write: () => Promise.resolve() },
    randomId: () => crypto.randomUUID(),
    log,
    remember,
    onDate: correctedClock.note,
  })
  const twoFactor = new TwoFactor({
    account: account.state,
    check: account.check,
    clientOf: (sessionKey) =>
      sessionKey === null
        ? createTwoFactorClient(account.keyHttp)
        : createTwoFactorClient(account.httpOfSession(sessionKey), sessionProblemOf),
    sessions: vault.sessionKeys,
    useSession: account.useSession,
    pendingSteps: new PendingSteps(disk.pendingSteps),
    vault: {
      totp: vault.totp,
      backupCodes: vault.backupCodes,
      entries: vault.totpList.listed,
      backupSets: vault.backupList.listed,
      check: vault.canKeep,
      correctedClock,
    },
    clock,
    random: () => 0,
    randomId: () => crypto.randomUUID(),
    log,
    remember,
  })
  await account.check()
  const end = new AbortController()
  void twoFactor.follow(end.signal)
  await twoFactor.refresh()

  let from = simulator.journal().length
  const world: World = {
    twoFactor,
    vault,
    backend: disk.backend,
    log,
    remembered,
    known: () => {
      const { account: state } = twoFactor.state.value
      if (state.kind !== 'known') throw new Error(`the account is ${state.kind}`)
      return state
    },
    flow: () => {
      const { flow } = twoFactor.state.value
      if (flow === null) throw new Error('no procedure is under way')
      return flow
    },
    step: <K extends FlowStep['kind']>(kind: K) => {
      const { step } = world.flow()
      if (!isOfKind(step, kind)) throw new Error(`the step is ${JSON.stringify(step)}`)
      return step
    },
    begin: async (goal) => {
      const { flowId } = await twoFactor.begin(goal, 'keychain')
      return twoFactor.guidedFlow(flowId)
    },
    pass: async (seconds) => {
      await simulator.clock.advance(seconds)
      for (const sleeper of [...sleepers]) {
        if (sleeper.until > now()) continue
        sleepers.delete(sleeper)
        sleeper.wake()
      }
      await settle()
    },
    suspend: async (seconds) => {
      await simulator.clock.advance(seconds)
      correctedClock.drop()
      twoFactor.wake()
      await settle()
    },
    checkAccount: account.check,
    signOut: async () => {
      await account.forget()
      end.abort()
    },
    renewKey: async () => {
      const former = key
      key = simulator.keys.create(former)
      await account.replaceKey({ apiKey: key, keepIn: 'keychain' })
      simulator.keys.revoke(former)
      await settle()
    },
    requests: () => simulator.journal().slice(from).map(nameOf),
    mark: () => {
      from = simulator.journal().length
    },
    restart: (options = {}) => {
      end.abort()
      return startWorld(simulator, person, { aheadMs, ...options, disk })
    },
  }
  return world
}

/** Waits until it is so; what it waits for goes over a real network. */
export async function until(isSo: () => boolean): Promise<void> {
  await waitFor(
    () => {
      if (!isSo()) throw new Error('it did not come to be')
    },
    { intervalMs: 5 },
  )
}

function isOfKind<K extends FlowStep['kind']>(
  step: FlowStep,
  kind: K,
): step is Extract<FlowStep, { kind: K }> {
  return step.kind === kind
}

function nameOf({ method, path }: JournalEntry): string {
  return `${method} ${path.replace('/api/v0/', '')}`
}

function stored(simulator: Simulator, user: Readonly<Record<string, unknown>>) {
  return {
    keyId: `key-${String(user['id'])}`,
    serviceAddress: simulator.baseUrl,
    userId: Number(user['id']),
    keyMask: '••••',
  }
}
