import { expect, test } from 'vitest'
import { KeychainLocked } from '#services/vault/keychain/keychain-backend.ts'
import type { KeytarReply, KeytarRequest } from '#services/vault/keychain/keytar-messages.ts'
import { createKeytarProcess, type KeytarHost } from '#services/vault/keychain/keytar-process.ts'
import { fakeBackend } from './fake-backend.ts'

/** Of the texts, `locked`, `outlived`, `breaks` and `ends` stand for what goes wrong. */
type Answer = Extract<KeytarReply, { ok: true }>['result']

/** Processes that answer each request as told, one process after the other. */
function processes(...each: readonly (readonly Answer[])[]) {
  const asked: (readonly string[])[] = []
  const failures: unknown[] = []
  let started = 0
  const start = (): Promise<KeytarHost> => {
    const answers = each[started]?.values()
    started += 1
    if (answers === undefined) return Promise.reject(new Error('no more processes'))
    const requests: string[] = []
    asked.push(requests)
    const end = Promise.withResolvers<string>()
    const listeners: ((message: unknown) => void)[] = []
    return Promise.resolve({
      send: ({ id, call, account }: KeytarRequest) => {
        requests.push(`${call} ${account}`)
        const answer = answers.next().value
        if (answer === 'ends') return end.resolve('code 1')
        const reply: KeytarReply =
          answer === 'locked' || answer === 'outlived'
            ? { id, ok: false, why: answer, message: answer }
            : answer === 'breaks'
              ? { id, ok: false, why: 'other', message: 'broken' }
              : { id, ok: true, result: answer ?? null }
        for (const listen of listeners) listen(reply)
      },
      onMessage: (listen) => void listeners.push(listen),
      ended: end.promise,
      kill: () => end.resolve('killed'),
    })
  }
  const backend = createKeytarProcess({
    start,
    inPlace: () => Promise.resolve(fakeBackend()),
    onFailure: (error) => failures.push(error),
  })
  return { backend, asked, failures }
}

test('one process answers all calls', async () => {
  const { backend, asked } = processes(['secret', null, true])
  expect(await backend.get('a')).toBe('secret')
  await backend.set('b', 'c')
  expect(await backend.delete('d')).toBe(true)
  expect(asked).toEqual([['get a', 'set b', 'delete d']])
})

test.each(['outlived', 'ends'] as const)(
  'what one process could not do (%s) the next one does',
  async (end) => {
    const { backend, asked } = processes([null, end], ['secret'])
    await backend.set('b', 'c')
    expect(await backend.get('a')).toBe('secret')
    expect(asked).toEqual([['set b', 'get a'], ['get a']])
  },
)

test('a keychain service that is gone is no reason to start processes for ever', async () => {
  const { backend, asked } = processes(['outlived'], ['outlived'], ['secret'])
  await expect(backend.get('a')).rejects.toThrow('outlived')
  expect(asked).toHaveLength(2)
  // It may be back when it is asked next.
  expect(await backend.get('a')).toBe('secret')
})

test('a refusal is passed on, and the process stays', async () => {
  const { backend, asked } = processes(['locked', 'breaks', 'secret'])
  await expect(backend.set('a', 'b')).rejects.toBeInstanceOf(KeychainLocked)
  await expect(backend.get('a')).rejects.toThrow('broken')
  expect(await backend.get('a')).toBe('secret')
  expect(asked).toHaveLength(1)
})

test('where there can be no process, the library is used in this one, and that is told', async () => {
  const { backend, failures } = processes()
  await backend.set('a', 'b')
  expect(await backend.get('a')).toBe('b')
  expect(failures).toHaveLength(1)
})
