import { EventEmitter } from 'node:events'
import type { Client } from 'ssh2'
import { onTestFinished } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import type { FiguresSummary } from '#domain/figures/figures-summary.ts'
import { nothingListed, type InstanceAction, type InstancesSnapshot } from '#domain/instances/instance.ts'
import type { Notification } from '#domain/notifications/notification.ts'
import { preferences as preferencesSchema, type Preferences } from '#domain/settings/settings.ts'
import type { ConnectionsList } from '#domain/ssh/ssh-connection.ts'
import { AllFigures } from '#services/figures/all-figures.ts'
import { InstanceFigures } from '#services/figures/instance-figures.ts'
import { ConnectFailed } from '#services/ssh/connection/connect-failure.ts'
import type { ConnectionLease } from '#services/ssh/connection/connections.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

/** What an instance says at a time: a line, or what is none. */
export type Say = (at: number) => string

/** A line of the script about one GPU. */
export function lineOf({ use = 50, memory = 100, celsius = 60, disk = 50, count = 1 } = {}): string {
  const gpus = Array.from(
    { length: count },
    (_, index) => `${index}, GPU-${index}, A, ${use}, ${memory}, 200, ${celsius}, 100, 200, 1000`,
  )
  return JSON.stringify({
    ...{ version: '1', uptime: '5.0 1.0', nvidia: `${gpus.join('\n')}\n`, apps: '' },
    disks: `Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/a 100 ${disk} 10 ${disk}% /\n`,
  })
}

/** How an instance takes a connection. */
type Answer = 'opens' | 'asks' | 'hangs'

/** So many running instances at $1.77/h, by a clock of the test, with all that is counted of them. */
export function manyInstances(count: number, { isOn = true } = {}) {
  const clock = new FakeClock()
  const ids = Array.from({ length: count }, (_, index) => index + 1)
  const says = new Map<number, Say>()
  const answers = new Map<number, Answer>()
  /** They say one line, and end. */
  const oneLiners = new Set<number>()
  const channels = new Map<number, Set<FakeChannel>>(ids.map((id) => [id, new Set()]))
  const holds = new Map<number, number>()
  const list = new Latest<ConnectionsList>([])
  const open = new Set<number>()
  const counts = { connecting: 0, mostConnecting: 0, mostStreams: 0, mostOfOne: 0 }
  const manners = new Set<string>()
  const paces: string[] = []

  function clientOf(id: number): Client {
    const own = channels.get(id) ?? new Set()
    const exec = (
      command: string,
      options: unknown,
      callback?: (error: undefined, channel: FakeChannel) => void,
    ): void => {
      const answer = callback ?? (options as (error: undefined, channel: FakeChannel) => void)
      const channel = new FakeChannel()
      answer(undefined, channel)
      const pace = /exec sh -s (\d+) /.exec(command)?.[1]
      // What ends the others.
      if (pace === undefined) {
        for (const other of own) other.close()
        return channel.close()
      }
      paces.push(`${id}: ${pace}`)
      own.add(channel)
      channel.on('close', () => own.delete(channel))
      counts.mostStreams = Math.max(counts.mostStreams, streams().length)
      counts.mostOfOne = Math.max(counts.mostOfOne, own.size)
      void speak(id, channel, Number(pace) * 1_000)
    }
    return { exec } as unknown as Client
  }

  async function speak(id: number, channel: FakeChannel, paceMs: number): Promise<void> {
    // As from a network: never before the one who opened it listens.
    await settle()
    while (channel.isOpen) {
      channel.emit('data', Buffer.from(`${(says.get(id) ?? (() => lineOf()))(clock.now())}\n`))
      if (oneLiners.has(id)) return channel.close()
      await clock.sleep(paceMs)
    }
  }

  function leaseOf(id: number, release: () => void): ConnectionLease {
    const never = new Promise<never>(() => undefined)
    const unused = (): void => undefined
    const address = { host: '127.0.0.1', port: id }
    return {
      ...{ client: clientOf(id), address, user: 'root', ended: never, breakOff: unused, breach: unused },
      release,
    }
  }

  const connections = {
    list,
    acquire: async (id: number, signal: AbortSignal, manner = 'asking') => {
      manners.add(manner)
      counts.connecting += 1
      counts.mostConnecting = Math.max(counts.mostConnecting, counts.connecting)
      holds.set(id, (holds.get(id) ?? 0) + 1)
      const release = (): void => void holds.set(id, (holds.get(id) ?? 0) - 1)
      try {
        await clock.sleep(answers.get(id) === 'hangs' ? 1e9 : 500, signal)
        if (answers.get(id) === 'asks') throw new ConnectFailed(unasked, false)
        return leaseOf(id, release)
      } catch (error) {
        release()
        throw error
      } finally {
        counts.connecting -= 1
      }
    },
    regain: () => Promise.reject(new Error('not lost')),
    join: (id: number) => (open.has(id) ? leaseOf(id, () => undefined) : null),
  }

  const watch = { snapshot: new Latest<InstancesSnapshot>(nothingListed) }
  const pending = new Map<number, InstanceAction>()
  let running: readonly number[] = ids
  function setRunning(next: readonly number[]): void {
    running = next
    publish()
  }
  function publish(): void {
    const instances = ids.map((id) => {
      const status = running.includes(id) ? 'running' : 'exited'
      const record = { id, ssh_host: 'ssh.example', ssh_port: 20_000 + id, dph_total: 1.77 }
      return { id, status, record, history: [{ status, at: clock.now() }], pending: pending.get(id) ?? null }
    })
    watch.snapshot.set({ ...nothingListed, instances, fetchedAt: clock.now() })
  }
  publish()

  const preferences = new Latest<Preferences>(preferencesSchema.parse({ showsAllFigures: isOn }))
  const told: string[] = []
  const notify = ({ title }: Notification): void => void told.push(title)
  const log = memoryLog()
  let commands = 0
  const each = new InstanceFigures({
    ...{ connections, clock, log, script: () => Promise.resolve('the script') },
    randomId: () => `command-${(commands += 1)}`,
  })
  const all = new AllFigures({ figures: each, connections, watch, preferences, clock, notify })
  const end = new AbortController()
  const following = all.follow(end.signal)
  onTestFinished(async () => {
    end.abort()
    const disposed = each.dispose()
    await clock.advance(10_000)
    await Promise.all([following, disposed])
  })

  const streams = (): readonly number[] => [...channels].filter(([, own]) => own.size > 0).map(([id]) => id)
  return {
    ...{ clock, each, all, says, answers, counts, manners, paces, told, log, streams, setRunning, oneLiners },
    connecting: () => counts.connecting,
    holdsOf: (id: number) => holds.get(id) ?? 0,
    setOn: (showsAllFigures: boolean) => preferences.set({ ...preferences.value, showsAllFigures }),
    /** The user has stopped it: on its way, failed, or without effect. */
    setStopping: (id: number, part: Partial<InstanceAction> = {}) => {
      pending.set(id, { action: 'stop', since: clock.now(), failure: null, lists: 0, ...part })
      publish()
    },
    /** It's gone from the list. */
    setGone: (id: number) => {
      ids.splice(ids.indexOf(id), 1)
      publish()
    },
    /** Somebody has a terminal there. */
    setOpen: (id: number) => {
      open.add(id)
      const address = { host: '127.0.0.1', port: id }
      const state = { kind: 'open', address, user: 'root', latencyMs: null, silentSince: null } as const
      list.set([{ instanceId: id, state }])
    },
    /** The list is looked at from now on. */
    look: () => {
      const seen = { latest: new Map<number, FiguresSummary>(), sendings: 0 }
      const leave = new AbortController()
      const follow = async (): Promise<void> => {
        for await (const summaries of all.watchAll(leave.signal)) {
          seen.latest = new Map(summaries.map((one) => [one.instanceId, one]))
          seen.sendings += 1
        }
      }
      void follow()
      onTestFinished(() => leave.abort())
      return { seen, leave: () => leave.abort() }
    },
  }
}

const unasked = { kind: 'failed', problem: { kind: 'unasked' }, address: null } as const

class FakeChannel extends EventEmitter {
  readonly stderr = Object.assign(new EventEmitter(), { pause: nothing, resume: nothing })
  readonly pause = nothing
  readonly resume = nothing
  readonly end = nothing
  isOpen = true
  readonly close = (): void => {
    if (!this.isOpen) return
    this.isOpen = false
    setImmediate(() => this.emit('close', 0))
  }
  readonly destroy = this.close
}

function nothing(): void {
  return undefined
}
