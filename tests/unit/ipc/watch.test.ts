import { createORPCClient, ORPCError } from '@orpc/client'
import { RPCLink } from '@orpc/client/message-port'
import type { ContractRouterClient } from '@orpc/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { effectScope } from 'vue'
import type { contract } from '#contract/contract.ts'
import { Latest } from '#domain/base/latest.ts'
import { toProblem } from '#ipc/problem.ts'
import { useWatch, type Watched } from '#ipc/watch.ts'
import { waitFor } from '../../support/wait-for.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Tells one value and is over. */
async function* endingAfter(value: string): AsyncGenerator<string, void, void> {
  yield await Promise.resolve(value)
}

type Subscribe<T> = Parameters<typeof useWatch<T>>[0]

function watching<T>(subscribe: Subscribe<T>): { readonly watched: Watched<T>; readonly leave: () => void } {
  const scope = effectScope()
  const watched = scope.run(() => useWatch(subscribe))
  if (!watched) throw new Error('The scope has ended')
  return {
    watched,
    leave: () => {
      scope.stop()
    },
  }
}

test('follows the newest value, and main is told when the page leaves', async () => {
  const source = new Latest('one')
  let signalSeen: AbortSignal | undefined
  const { watched, leave } = watching<string>((_, { signal }) => {
    signalSeen = signal
    return Promise.resolve(source.watch(signal))
  })
  expect(watched.latest.value).toBeNull()
  await waitFor(() => {
    expect(watched.latest.value).toBe('one')
  })
  source.set('two')
  await waitFor(() => {
    expect(watched.latest.value).toBe('two')
  })
  leave()
  expect(signalSeen?.aborted).toBe(true)
  source.set('three')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(watched.latest.value).toBe('two')
})

test('asks again after the watch failed or ended, keeps the last value meanwhile, and says why', async () => {
  vi.useFakeTimers()
  const answers = ['first', 'ends', 'fails', 'last']
  let asked = 0
  const { watched, leave } = watching<string>(() => {
    const answer = answers[asked]
    asked += 1
    if (answer === 'fails')
      return Promise.reject(
        new ORPCError('PROBLEM', { defined: true, data: { kind: 'keychain-locked', detail: '' } }),
      )
    return Promise.resolve(answer === 'last' ? new Latest(answer).watch() : endingAfter(answer ?? 'none'))
  })
  await waitFor(() => {
    expect(watched.problem.value).toEqual({ kind: 'keychain-locked', detail: '' })
  })
  expect(watched.latest.value).toBe('ends')
  await waitFor(() => {
    expect(watched.latest.value).toBe('last')
  })
  expect(watched.problem.value).toBeNull()
  leave()
})

test('does not ask in a tight loop while main is away', async () => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  let asked = 0
  const { leave } = watching<string>(() => {
    asked += 1
    return Promise.reject(new Error('port closed'))
  })
  await vi.advanceTimersByTimeAsync(60_000)
  leave()
  expect(asked).toBeGreaterThan(5)
  expect(asked).toBeLessThan(25)
})

test('the end of the connection is no failure: nothing is written, and nothing is asked again', async () => {
  const write = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { port1, port2 } = new MessageChannel()
  port1.start()
  const client: ContractRouterClient<typeof contract> = createORPCClient(new RPCLink({ port: port1 }))
  let asked = 0
  const { watched, leave } = watching<unknown>((input, options) => {
    asked += 1
    return client.vault.keychain.watch(input, options)
  })
  port2.close()
  await new Promise((resolve) => setTimeout(resolve, 600))
  leave()
  expect(asked).toBe(1)
  expect(watched.problem.value).toBeNull()
  expect(write).not.toHaveBeenCalled()
})

test('a call that is cut off by the end of the connection is told as that, and is no bug', async () => {
  const write = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { port1, port2 } = new MessageChannel()
  port1.start()
  const client: ContractRouterClient<typeof contract> = createORPCClient(new RPCLink({ port: port1 }))
  const outcome = client.instances.destroy({ id: 1 }).then(() => null, toProblem)
  port2.close()
  expect(await outcome).toEqual({ kind: 'ended' })
  expect(write).not.toHaveBeenCalled()
})

test('a failure that is no problem of the contract is shown as an id only, and written to the console', () => {
  const write = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const problem = toProblem(new Error('secret detail'))
  expect(problem).toMatchObject({ kind: 'unexpected' })
  expect(JSON.stringify(problem)).not.toContain('secret detail')
  expect(write).toHaveBeenCalledOnce()
})

test('a problem that is not shaped as the contract says is not trusted', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  expect(toProblem(new ORPCError('PROBLEM', { data: { kind: 'made-up' } }))).toMatchObject({
    kind: 'unexpected',
  })
})
