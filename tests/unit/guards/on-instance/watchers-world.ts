import { createHash } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { join } from 'node:path'
import type { Client, ClientChannel } from 'ssh2'
import { Latest } from '#domain/base/latest.ts'
import type { GuardOrder } from '#domain/guards/guard.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import type { SshProblem } from '#domain/ssh/ssh.ts'
import { InstanceWatchers } from '#services/guards/on-instance/instance-watchers.ts'
import { scriptVersion } from '#services/guards/on-instance/script-order.ts'
import { ConnectFailed } from '#services/ssh/connection/connect-failure.ts'
import type { ConnectionLease } from '#services/ssh/connection/connections.ts'
import { settle, type FakeClock } from '../../../support/fake-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { guardWorld } from '../guard-world.ts'

/** Of a rule on that instance. */
export const there = { instanceId: 1, place: 'instance' } as const
export const stopAfter = (hours: number): GuardOrder => ({
  ...there,
  action: 'stop',
  condition: { kind: 'after', hours },
})
export const stopWhenIdle: GuardOrder = { ...there, action: 'stop', condition: { kind: 'idle', minutes: 30 } }

interface FakeRule {
  readonly owner: string
  readonly id: string
  readonly action: string
  readonly condition: string
  readonly seconds: number
  /** In seconds of the instance. */
  start: number
  phase: string
  answer: number
}

/** The script on an instance, as far as Slipway sees it. A test changes what it's like. */
export function fakeScript(clock: FakeClock) {
  const seconds = (): number => Math.floor((clock.now() - script.clockAheadMs) / 1000) - 1_700_000_000
  const script = {
    link: 'up' as 'up' | 'cut' | 'silent',
    connectProblem: null as SshProblem | null,
    /** Why it takes no order. */
    refuses: null as string | null,
    /** What it says in place of its answers, until the script is placed again or for ever. */
    nonsense: null as 'until-placed' | 'always' | null,
    placed: false,
    version: scriptVersion,
    proven: true,
    running: true,
    /** So much this computer's clock was set on, of which the instance's uptime knows nothing. */
    clockAheadMs: 0,
    /** The watcher last looked so long ago. */
    age: 0,
    orders: [] as { owner: string; revision: string }[],
    rules: [] as FakeRule[],
    acted: [] as { owner: string; id: string; action: string; at: number; elapsed: number }[],
    /** What it was asked: `arm` is one without its text. */
    commands: [] as string[],
    /** Its process has gone; its files are there. */
    restart: () => Object.assign(script, { orders: [], rules: [] }),
    answer,
  }

  function state(): string {
    if (script.orders.length === 0)
      return JSON.stringify({ armed: false, why: 'not-armed', acted: script.acted, placed: script.placed })
    const now = seconds()
    const rules = script.rules.map(({ start, ...rule }) => {
      const elapsed = now - script.age - start
      const left = Math.max(0, rule.seconds - elapsed)
      return { ...rule, elapsed, left, waits: '', tries: 0 }
    })
    const { version, proven, running, orders, acted, age } = script
    return JSON.stringify({
      ...{ armed: true, id: 1, version, proven, running, now, uptime: now - age, orders, rules, acted },
    })
  }

  function arm(order: string): string {
    if (script.refuses !== null) return JSON.stringify({ armed: false, why: script.refuses })
    const lines = order.trim().split('\n')
    const valueOf = (name: string): string =>
      lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
    const owner = valueOf('owner')
    const rules = lines.flatMap((line): FakeRule[] => {
      const [id = '', action = '', condition = '', length] = line.startsWith('rule=')
        ? line.slice(5).split(' ')
        : []
      if (id === '') return []
      return [
        {
          owner,
          id,
          action,
          condition,
          seconds: Number(length),
          start: seconds(),
          phase: 'waiting',
          answer: 0,
        },
      ]
    })
    const others = <T extends { owner: string }>(all: T[]): T[] => all.filter((one) => one.owner !== owner)
    script.rules = [...others(script.rules), ...rules]
    script.orders = others(script.orders)
    if (rules.length > 0) script.orders.push({ owner, revision: valueOf('revision') })
    Object.assign(script, { age: 0, running: true, version: scriptVersion })
    return state()
  }

  function answer(command: string, input: string): string {
    const kind = /guard\.sh" (\w+)/.exec(command)?.[1] ?? ''
    const brings = input.includes('# slipway: end of script')
    script.commands.push(brings ? 'place and arm' : kind)
    // It says so before it comes to the script.
    if (script.refuses === 'read-only') return '{"armed":false,"why":"read-only"}'
    if (brings && script.refuses === 'disk-full') return '{"armed":false,"why":"disk-full"}'
    if (brings)
      Object.assign(script, { placed: true }, script.nonsense === 'until-placed' && { nonsense: null })
    if (script.nonsense !== null) return 'Bonjour\n'
    if (kind === 'disarm') {
      Object.assign(script, { orders: [], rules: [] })
      return state()
    }
    return kind === 'arm' ? arm(input.split('# slipway: end of script').at(-1) ?? '') : state()
  }

  return script
}

/** An instance that answers SSH, and a Slipway that may end and start again. */
export function watchersWorld() {
  const world = guardWorld()
  const { clock, machine, file } = world
  const script = fakeScript(clock)
  const connection = new Latest<ConnectionState>({ kind: 'idle' })
  const notified: string[] = []
  /** All that was notified, with the body. */
  const bodies: string[] = []
  const client = {
    exec(command: string, _how: unknown, opened: (error: undefined, channel: ClientChannel) => void) {
      const channel = Object.assign(new PassThrough({ emitClose: false }), {
        stderr: new PassThrough(),
        close: () => undefined,
        signal: () => undefined,
      })
      channel.end = (input?: unknown) => {
        if (script.link === 'silent') return channel
        const isCut = script.link === 'cut'
        if (!isCut) channel.push(script.answer(command, String(input ?? '')))
        channel.push(null)
        channel.resume()
        if (isCut) channel.emit('close')
        else channel.once('end', () => channel.emit('close', 0))
        return channel
      }
      opened(undefined, channel as unknown as ClientChannel)
    },
  }
  const looks = { now: 0, mostAtOnce: 0 }
  const acquire = async (): Promise<ConnectionLease> => {
    const { connectProblem } = script
    if (connectProblem === null) {
      looks.mostAtOnce = Math.max(looks.mostAtOnce, ++looks.now)
      return {
        client: client as unknown as Client,
        release: () => (looks.now -= 1),
      } as unknown as ConnectionLease
    }
    const isPassing = connectProblem.kind !== 'authentication-failed'
    throw new ConnectFailed({ kind: 'failed', problem: connectProblem, address: null }, isPassing)
  }
  async function run(name = 'one') {
    const app = await world.run(name)
    const end = new AbortController()
    let ids = 0
    const watchers = new InstanceWatchers({
      ...{ file, clock, store: app.store, watch: app.watch, log: memoryLog() },
      connections: { acquire, state: () => connection },
      keyOf: async () => 'key',
      serviceAddress: () => 'https://rent.example',
      scripts: join(import.meta.dirname, '../../../../resources/machine'),
      randomId: () => createHash('sha1').update(`${name} ${++ids}`).digest('hex'),
      notify: ({ title, body }) => {
        notified.push(title)
        bodies.push(body)
      },
    })
    const show = async (): Promise<void> => {
      for await (const views of watchers.views.watch(end.signal)) app.store.showOnInstances(views)
    }
    void show()
    void watchers.follow(end.signal)
    const view = () => watchers.views.value[0]
    /** Until no look is under way, of which the script's file is truly read. */
    const calm = async (): Promise<void> => {
      await settle()
      while (script.link !== 'silent' && watchers.views.value.some(({ isLooking }) => isLooking))
        await new Promise((resolve) => setTimeout(resolve, 1))
      await settle()
    }
    const pass = async (ms: number): Promise<void> => {
      const until = clock.now() + ms
      while (clock.now() < until) {
        await clock.advance(Math.min(15_000, until - clock.now()))
        await calm()
      }
    }
    const set = async (order: GuardOrder): Promise<string> => {
      await app.store.set(order)
      await calm()
      return String(app.store.all.at(-1)?.id)
    }
    await calm()
    const quit = async (): Promise<void> => {
      end.abort()
      await app.quit()
    }
    return { ...app, watchers, view, calm, pass, set, quit }
  }
  /** The instance does what a rule is for, and says so from then on. */
  function act(id: string): void {
    const rule = script.rules.find((one) => one.id === id)
    if (rule === undefined) throw new Error('no such rule')
    const at = Math.floor(clock.now() / 1000)
    script.acted.push({ owner: rule.owner, id, action: rule.action, at, elapsed: rule.seconds })
    script.restart()
    Object.assign(machine, { actual_status: 'stopped', cur_state: 'stopped' })
  }
  const startAgain = (): void =>
    void Object.assign(machine, { actual_status: 'running', cur_state: 'running' })
  return { ...world, script, looks, connection, notified, bodies, run, act, startAgain }
}
