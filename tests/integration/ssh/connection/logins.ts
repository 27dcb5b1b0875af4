import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { HostLogin, KeptPassword, LoginQuestion } from '#domain/ssh/ssh-login.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { createConnections, type Connections } from '#services/ssh/connection/connections.ts'
import type { HostPasswordStore } from '#services/ssh/connection/host-password.ts'
import { openKnownHosts } from '#services/ssh/known-hosts/known-hosts-file.ts'
import { fingerprintOf } from '#services/ssh/protocol/public-key.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import type { Clock } from '#domain/base/clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'

export const instanceId = 1

export interface LoginsOptions {
  readonly address: SshAddress
  readonly user: string
  /** As a function: asked for at each login. */
  readonly privateKeys?: readonly string[] | (() => readonly string[])
  readonly agentSocket?: string | null
  readonly store?: MemoryPasswords
  readonly codeFor?: (entryId: string) => Promise<string>
  readonly clock?: Clock
}

/** Passwords of hosts in memory; what it was asked to do can be looked at. */
export class MemoryPasswords implements HostPasswordStore {
  readonly kept = new Map<string, { readonly password: string; readonly hostKey: string }>()
  readonly refused = new Set<string>()

  read(login: HostLogin, hostKey: string): Promise<KeptPassword> {
    const kept = this.kept.get(nameOf(login))
    if (kept?.hostKey !== hostKey) return Promise.resolve({ kind: 'none' })
    return Promise.resolve(
      this.refused.has(nameOf(login)) ? { kind: 'refused' } : { kind: 'found', password: kept.password },
    )
  }

  keep(login: HostLogin, hostKey: string, password: string): Promise<void> {
    this.kept.set(nameOf(login), { password, hostKey })
    this.refused.delete(nameOf(login))
    return Promise.resolve()
  }

  noteRefused(login: HostLogin): void {
    this.refused.add(nameOf(login))
  }
}

const nameOf = ({ user, host, port }: HostLogin): string => `${user}@${host}:${port}`

/** The product's own connection to one server, whose questions the test answers. */
export async function openLogins(options: LoginsOptions) {
  const { address, user, privateKeys = [], agentSocket = null, clock = systemClock } = options
  const store = options.store ?? new MemoryPasswords()
  const folder = await mkdtemp(join(tmpdir(), 'slipway-logins-'))
  const knownHostsFile = join(folder, 'known_hosts')
  const end = new AbortController()
  const seen: string[] = []
  const log = memoryLog()
  const readKeys = typeof privateKeys === 'function' ? privateKeys : () => privateKeys
  const keys = () => readKeys().map((privateKey, at) => ({ name: `key ${at + 1}`, privateKey }))
  const connections: Connections = createConnections({
    findTarget: () => Promise.resolve({ kind: 'address', address }),
    user: () => user,
    identities: () => Promise.resolve({ keys: keys(), agentSocket, skipped: [] }),
    loginSecrets: {
      passwords: store,
      codeFor: options.codeFor ?? (() => Promise.reject(new Error('no such entry'))),
      remember: (secret) => seen.push(secret),
      log,
    },
    knownHostsFile,
    clock,
    random: () => 0.5,
    log,
  })
  onTestFinished(async () => {
    end.abort(new Error('the test is over'))
    connections.stopTrying(instanceId)
    await rm(folder, { recursive: true })
  })

  async function until<K extends ConnectionState['kind']>(
    kinds: readonly K[],
    isIt: (state: Extract<ConnectionState, { kind: K }>) => boolean = () => true,
  ): Promise<Extract<ConnectionState, { kind: K }>> {
    for await (const state of connections.state(instanceId).watch(end.signal))
      if (isOneOf(state, kinds) && isIt(state)) return state
    throw new Error(`never ${kinds.join(', ')}`)
  }

  let last = 0
  return {
    connections,
    store,
    seen,
    log,
    until,
    signal: end.signal,
    acquire: () => {
      const acquired = connections.acquire(instanceId, end.signal)
      acquired.catch(() => undefined) // each test looks at it, or at the state
      return acquired
    },
    regain: () => connections.regain(instanceId, end.signal),
    trust: async () => {
      const { offered } = await until(['unknown-host'])
      connections.answerHostKey(instanceId, true, offered.fingerprint)
    },
    hostKey: async () => {
      const [known] = await openKnownHosts(knownHostsFile).read()
      return known === undefined ? '' : fingerprintOf(known.key)
    },
    /** The next question that has not been seen yet. */
    asked: async (): Promise<LoginQuestion> => {
      const { question } = await until(['login'], (state) => state.question.id > last)
      last = question.id
      return question
    },
    say: (texts: readonly string[], remember = false) =>
      connections.answerLogin(instanceId, last, {
        kind: 'responses',
        responses: texts.map((text) => ({ kind: 'text', text })),
        remember,
      }),
    sayCode: (entryId: string) =>
      connections.answerLogin(instanceId, last, {
        kind: 'responses',
        responses: [{ kind: 'code', entryId }],
        remember: false,
      }),
    usePassword: () => connections.answerLogin(instanceId, last, { kind: 'use-password' }),
    decline: () => connections.answerLogin(instanceId, last, null),
    answerAs: (questionId: number) =>
      connections.answerLogin(instanceId, questionId, { kind: 'responses', responses: [], remember: false }),
    problem: async () => {
      const state = await until(['failed'])
      return state.problem
    },
  }
}

function isOneOf<K extends ConnectionState['kind']>(
  state: ConnectionState,
  kinds: readonly K[],
): state is Extract<ConnectionState, { kind: K }> {
  return kinds.some((kind) => kind === state.kind)
}
