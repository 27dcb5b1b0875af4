import { expect, test } from 'vitest'
import { ProblemError } from '#domain/base/problem.ts'
import { createHttp } from '#services/rental-api/http.ts'
import { askPermissions } from '#services/accounts/key-permissions.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { problemOf } from '../../support/problem-of.ts'

function httpWith(answer: (asked: string) => Response) {
  const sent: string[] = []
  const http = createHttp({
    fetch: async (url, init) => {
      const asked = `${init?.method} ${new URL(String(url)).pathname} ${typeof init?.body === 'string' ? init.body : ''}`
      sent.push(asked.trim())
      return answer(asked)
    },
    clock: new FakeClock(),
    random: () => 0,
    credentials: async () => ({ serviceAddress: 'https://service.example', bearer: 'key-of-the-test' }),
  })
  return { http, sent }
}

test('each category is asked by something that changes nothing, whatever the service makes of it', async () => {
  const { http, sent } = httpWith(() => Response.json({}))
  expect(await askPermissions(http)).toEqual({
    user_read: { kind: 'allowed' },
    instance_read: { kind: 'allowed' },
    // Every request of the API for it rents, stops or destroys.
    instance_write: { kind: 'not-asked' },
    misc: { kind: 'allowed' },
  })
  expect(sent.sort()).toEqual([
    'GET /api/v0/instances/',
    'GET /api/v0/template/',
    'POST /api/v0/bundles/ {"limit":1}',
  ])
})

test('a refusal of one category leaves the others as they are', async () => {
  const { http } = httpWith((asked) =>
    asked.startsWith('POST')
      ? Response.json({ error: 'x', msg: 'not yours' }, { status: 403 })
      : Response.json({}),
  )
  expect(await askPermissions(http)).toMatchObject({
    misc: { kind: 'not-allowed', message: 'not yours' },
    instance_read: { kind: 'allowed' },
  })
})

test('a keychain that is locked is told as that, and not as a key without permissions', async () => {
  const locked = createHttp({
    fetch: () => Promise.reject(new Error('nothing may be sent')),
    clock: new FakeClock(),
    random: () => 0,
    credentials: () => Promise.reject(new ProblemError({ kind: 'keychain-locked', detail: '' })),
  })
  expect(await problemOf(askPermissions(locked))).toMatchObject({ kind: 'keychain-locked' })
})
