import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '#domain/base/clock.ts'
import { Redactor } from '#domain/base/redact.ts'
import type { Notification } from '#domain/notifications/notification.ts'
import { withAuthorizedKey } from '#domain/renting/onstart.ts'
import { plainShell, type ShellWish } from '#domain/terminals/shell-wish.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import type { TerminalState } from '#domain/terminals/terminal-state.ts'
import { openTerminalPort } from '../../../src-main/ipc/terminal-port.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import type { Identities } from '#services/ssh/keys/identities.ts'
import { createConnections } from '#services/ssh/connection/connections.ts'
import { createTerminals } from '#services/terminals/terminals.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { startSimulator, type Simulator } from '../../simulator/simulator.ts'
import { memoryLog } from '../../support/memory-log.ts'

/** One running machine with a real sshd, and a key that may log in. */
export interface Machine {
  readonly id: number
  readonly address: SshAddress
  readonly service: Simulator
  readonly identities: Identities
  readonly end: () => Promise<void>
}

export async function startMachine(): Promise<Machine> {
  const service = await startSimulator({ bootSeconds: [0, 0], offers: 5 })
  const { privateKey, publicKey } = makeEd25519KeyPair('test')
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${service.key}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return response.json()
  }
  const { offers } = (await call('POST', '/api/v0/bundles/', { rentable: { eq: true } })) as {
    offers: { id: number }[]
  }
  const { new_contract: id } = (await call('PUT', `/api/v0/asks/${offers[0]?.id}/`, {
    image: 'ubuntu',
    disk: 8,
    onstart: withAuthorizedKey('', publicKey.line),
  })) as { new_contract: number }
  for (;;) {
    const { instances } = (await call('GET', `/api/v0/instances/${id}/`)) as {
      instances: { actual_status: string | null; ssh_host: string; ssh_port: number }
    }
    if (instances.actual_status === 'running')
      return {
        id,
        address: { host: instances.ssh_host, port: instances.ssh_port },
        service,
        identities: { keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] },
        end: () => service.close(),
      }
    await systemClock.sleep(50)
  }
}

export interface TerminalTestOptions {
  readonly address: SshAddress
  readonly identities: Identities
  readonly user: string
  /** Takes output as a screen does; by default all of it at once. */
  readonly take?: (bytes: Uint8Array, taken: (total: number) => void) => void
  readonly knownHostsFile?: string
  readonly clock?: Clock
  readonly wish?: ShellWish
  /** Where its output is logged to when that is asked for. */
  readonly logFile?: string
  /** Sent along with its shells. */
  readonly locale?: Readonly<Record<string, string>>
}

/** A terminal of the app, whose screen is this test. */
export async function openTerminal(options: TerminalTestOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-ssh-'))
  const knownHostsFile = options.knownHostsFile ?? join(folder, 'known_hosts')
  let target = options.address
  const clock = options.clock ?? systemClock
  const log = memoryLog()
  const connections = createConnections({
    findTarget: () => Promise.resolve({ kind: 'address', address: target }),
    user: () => options.user,
    identities: () => Promise.resolve(options.identities),
    locale: () => options.locale ?? {},
    knownHostsFile,
    clock,
    random: () => 0.5,
    log,
  })
  const told: Notification[] = []
  const redactor = new Redactor()
  let opened = 0
  const randomId = (): string => `terminal-${(opened += 1)}`
  const terminals = createTerminals({
    ...{ connections, knownHostsFile, clock, randomId, log },
    notify: (notification) => told.push(notification),
    labelOf: () => 'train',
    chooseFile: () => Promise.resolve(options.logFile ?? null),
    redactLines: (text) => redactor.redactLines(text),
  })
  onTestFinished(async () => {
    await terminals.dispose()
    await rm(folder, { recursive: true })
  })

  const { terminalId } = terminals.open({
    instanceId: 1,
    wish: options.wish ?? plainShell,
    cols: 80,
    rows: 24,
  })
  const { port1, port2 } = new MessageChannel()
  let text = ''
  let total = 0
  const decoder = new TextDecoder()
  const taken = (bytes: number): void => port2.postMessage({ kind: 'taken', bytes })
  const take =
    options.take ??
    ((bytes: Uint8Array) => {
      total += bytes.length
      taken(total)
    })
  port2.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!(data instanceof Uint8Array)) return
    text += decoder.decode(data, { stream: true })
    take(data, taken)
  }
  const port = openTerminalPort(
    {
      postMessage: (value) => port1.postMessage(value),
      on: (event: string, listener: (event: { data: unknown }) => void) =>
        port1.addEventListener(event, (received) => listener({ data: (received as MessageEvent).data })),
      start: () => port1.start(),
      close: () => port1.close(),
    },
    memoryLog(),
  )
  terminals.attach(terminalId, port)

  const states = terminals.watch(terminalId)
  let state: TerminalState = { kind: 'connecting', address: null }
  /** Waits for a state of one of these kinds. */
  async function until<K extends TerminalState['kind']>(
    ...kinds: readonly K[]
  ): Promise<Extract<TerminalState, { kind: K }>> {
    for (;;) {
      const next = await states.next()
      if (next.done) throw new Error(`ended in ${state.kind}`)
      state = next.value
      if (isOneOf(state, kinds)) return state
    }
  }

  return {
    until,
    knownHostsFile,
    /** Notifications, as they came. */
    told,
    /** Its log never has this. */
    remember: (secret: string) => redactor.remember(secret),
    startLog: () => terminals.startLog(terminalId),
    stopLog: () => terminals.stopLog(terminalId),
    notifyWhenDone: () => terminals.notifyWhenDone(terminalId, true),
    followed: () => terminals.followed.value,
    text: () => text,
    trust: async () => {
      const { offered } = await until('unknown-host')
      connections.answerHostKey(1, true, offered.fingerprint)
      return offered
    },
    answer: (trust: boolean, fingerprint: string) => connections.answerHostKey(1, trust, fingerprint),
    forget: async () => {
      await connections.forgetHostKey(1)
      terminals.reconnect(terminalId)
    },
    stopTrying: () => connections.stopTrying(1),
    type: (data: string) => port2.postMessage({ kind: 'input', data }),
    send: (message: unknown) => port2.postMessage(message),
    resize: (cols: number, rows: number) => terminals.resize(terminalId, { cols, rows }),
    reconnect: () => terminals.reconnect(terminalId),
    moveTo: (address: SshAddress) => (target = address),
    close: () => terminals.close(terminalId),
    dispose: () => terminals.dispose(),
    closed: new Promise<void>((resolve) => port2.addEventListener('close', () => resolve())),
  }
}

function isOneOf<K extends TerminalState['kind']>(
  state: TerminalState,
  kinds: readonly K[],
): state is Extract<TerminalState, { kind: K }> {
  return kinds.some((kind) => kind === state.kind)
}
