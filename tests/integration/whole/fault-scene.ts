import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ORPCError } from '@orpc/client'
import { wholeLists } from '#contract/instances-changes.ts'
import { problem as problemShape, type Problem } from '#domain/base/problem.ts'
import {
  followedBody,
  createNetFetch,
  type FetchSession,
} from '../../../src-main/desktop/network/net-fetch.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { SkippingClock } from '../../support/skipping-clock.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { type Client, type MainProgram, startMain } from './main-program.ts'
import type { Trouble } from './troubles.ts'

/** All of main with an account of the simulator, on a clock that skips waiting. */
export interface Scene {
  readonly service: Simulator
  /** Of the account that is connected. */
  readonly key: string
  readonly client: Client
  readonly app: MainProgram['app']
  /** Another page of it. */
  readonly page: MainProgram['window']
  readonly homeFolder: string
  readonly userData: string
  readonly clock: SkippingClock
  /** Plays the trouble on each such request, and answers with how many were sent until it is called again. */
  readonly play: (trouble: Trouble, method: string, path: string) => () => number
  readonly close: () => Promise<void>
}

export async function startScene(options: { readonly instances: number }): Promise<Scene> {
  const service = await startSimulator({ offers: 400, templates: 30, bootSeconds: [0, 0] })
  const userData = await mkdtemp(join(tmpdir(), 'slipway-faults-'))
  const { key } = service.account('default', options)
  let underWay = 0
  let isStuck: (method: string, path: string) => boolean = () => false
  const sent: { readonly method: string; readonly path: string }[] = []
  const clock = new SkippingClock({
    now: service.clock.now,
    skip: (ms) => service.clock.advance(ms / 1000),
    isBusy: () => underWay > 0,
  })
  const homeFolder = join(userData, 'home')
  const session: FetchSession = {
    closeAllConnections: () => Promise.resolve(),
    logInToProxy: () => Promise.resolve('not-it'),
    fetch: async (url, init) => {
      const method = init?.method ?? 'GET'
      const { pathname: path } = new URL(url)
      sent.push({ method, path })
      const counts = !isStuck(method, path)
      const end = (): void => {
        if (counts) underWay -= 1
      }
      if (counts) underWay += 1
      try {
        const response = await fetch(url, init)
        if (response.body === null) end()
        // With its body, so that nothing is skipped while that is on its way.
        return new Response(response.body && followedBody(response.body, end), response)
      } catch (error) {
        end()
        throw error
      }
    },
  }
  const { app, connect, window } = await startMain({
    homeFolder,
    userData: join(userData, 'data'),
    keychain: fakeBackend(),
    clock,
    random: () => 0,
    machineTimes: () => ({
      wallMs: clock.now(),
      awakeMs: clock.now(),
      uptimeMs: clock.now(),
      bootId: 'boot',
    }),
    fetch: createNetFetch({
      ready: Promise.resolve(),
      shared: () => session,
      apart: () => session,
    }),
  })
  const { client } = await connect({ baseUrl: service.baseUrl, key })
  return {
    service,
    key,
    client,
    app,
    page: window,
    homeFolder,
    userData,
    clock,
    play: ({ fault, isStuck: stuck }, method, path) => {
      service.faults.clear()
      const [begin = '', end] = path.split('*')
      const isMeant = (of: { readonly method: string; readonly path: string }): boolean =>
        of.method === method &&
        (end === undefined
          ? of.path === path
          : of.path.length >= begin.length + end.length && of.path.startsWith(begin) && of.path.endsWith(end))
      service.faults.add({ ...fault, method, path, times: 20 } as Parameters<typeof service.faults.add>[0])
      isStuck = (...of) => stuck === true && isMeant({ method: of[0], path: of[1] })
      const from = sent.length
      return () => {
        service.faults.clear()
        isStuck = () => false
        return sent.slice(from).filter(isMeant).length
      }
    },
    close: async () => {
      await clock.quickly(app.dispose())
      await service.close()
      await rm(userData, { recursive: true, force: true })
    },
  }
}

/** What a call came to. */
export type Outcome<T> =
  { readonly value: T; readonly problem: null } | { readonly value: null; readonly problem: Problem }

export async function outcomeOf<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await call, problem: null }
  } catch (error) {
    if (error instanceof ORPCError && error.code === 'PROBLEM')
      return { value: null, problem: problemShape.parse(error.data) }
    throw error
  }
}

/** The state as it is now. */
export async function now<T>(watching: Promise<AsyncIterator<T, unknown, void>>): Promise<T> {
  const states = await watching
  const { value, done } = await states.next()
  await states.return?.()
  if (done === true) throw new Error('The state is not told any more')
  return value
}

/** The list of instances as it is now. */
export function listNow({ instances }: Client) {
  return now(wholeLists(instances.watch)())
}
