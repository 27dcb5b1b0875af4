import { expect, test } from 'vitest'
import { Redactor } from '#domain/base/redact.ts'
import type { CloudList } from '#domain/cloud/cloud-connection.ts'
import { createCloud } from '#services/cloud/cloud.ts'
import { createHttp } from '#services/rental-api/http.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { problemOf } from '../../support/problem-of.ts'

const order = {
  provider: 's3',
  user_given_name: 'Data',
  access_key: 'AK-canary-1',
  secret_access_key: 'SK-canary-2',
} as const
const old = { id: 1, cloud_type: 's3', user_given_name: 'Old' }
const fresh = { id: 2, cloud_type: 's3', user_given_name: 'Data' }
const other = { id: 3, cloud_type: 'b2', user_given_name: 'Else' }

type Reply = () => Response
const json =
  (value: unknown, status = 200): Reply =>
  () =>
    Response.json(value, { status })
const reset: Reply = () => {
  throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })
}

/** A service with these replies to GET, the last of which stays, and this one to POST. */
function cloudWith({ lists, post }: { readonly lists: readonly Reply[]; readonly post: Reply }) {
  const clock = new FakeClock()
  const redactor = new Redactor()
  const sent: string[] = []
  const logged: string[] = []
  const waiting = [...lists]
  const http = createHttp({
    fetch: async (_url, init) => {
      sent.push(`${init?.method} ${typeof init?.body === 'string' ? init.body : ''}`.trim())
      if (init?.method === 'POST') {
        logged.push(redactor.redact(String(init.body)))
        return post()
      }
      return ((waiting.length > 1 ? waiting.shift() : waiting[0]) ?? json([]))()
    },
    clock,
    random: () => 0,
    credentials: async () => ({ serviceAddress: 'https://service.example', bearer: 'key-of-the-test' }),
  })
  const listed: CloudList[] = []
  const cloud = createCloud({
    ...{ http, clock, hide: (secret) => redactor.hide(secret) },
    onListed: (list) => listed.push(list),
  })
  /** Adds it, and lets the time pass in which the list is looked at. */
  const add = async () => {
    const adding = cloud.add(order)
    adding.catch(() => undefined)
    await clock.advance(3000)
    return adding
  }
  const posts = () => sent.filter((line) => line.startsWith('POST'))
  return { add, posts, logged, redactor, listed, list: () => cloud.list() }
}

test('it is sent once, and its secrets are hidden only while they are under way', async () => {
  const { add, posts, logged, redactor } = cloudWith({
    lists: [json([old])],
    post: json({ success: true, msg: 'Added with SK-canary-2.' }),
  })
  expect(await add()).toEqual({ kind: 'added', message: 'Added with ••••••.' })
  expect(posts()).toEqual([`POST ${JSON.stringify(order)}`])
  expect(logged.join()).not.toContain('canary')
  expect(redactor.redact(order.secret_access_key)).toBe(order.secret_access_key)
})

test('success false is a refusal, in the service’s words', async () => {
  const { add } = cloudWith({ lists: [json([])], post: json({ success: false, msg: 'Wrong key.' }) })
  expect(await add()).toEqual({ kind: 'refused', message: 'Wrong key.' })
})

test('an error is a refusal too, and does not repeat a secret', async () => {
  const { add, posts } = cloudWith({
    lists: [json([])],
    post: json({ error: 'bad', msg: 'no such key AK-canary-1' }, 400),
  })
  expect(await problemOf(add())).toMatchObject({ kind: 'refused', message: 'no such key ••••••' })
  expect(posts()).toHaveLength(1)
})

test.each([
  ['a reset', reset],
  ['a 502', json({ error: 'x', msg: '' }, 502)],
  ['no JSON', () => new Response('<html>', { status: 200 })],
  ['a reply that does not say', json({ msg: 'ok' })],
] as const)('after %s the list tells what was added, and nothing is sent again', async (_name, post) => {
  const { add, posts } = cloudWith({ lists: [json([old]), json([old, other, fresh])], post })
  expect(await add()).toEqual({ kind: 'lost', found: [fresh] })
  expect(posts()).toHaveLength(1)
})

test('what comes late is found by a second look', async () => {
  const { add } = cloudWith({ lists: [json([old]), json([old]), json([old, fresh])], post: reset })
  expect(await add()).toEqual({ kind: 'lost', found: [fresh] })
})

test('a list that cannot be had afterwards leaves it open', async () => {
  const { add } = cloudWith({ lists: [json([old]), json({ error: 'x', msg: '' }, 403)], post: reset })
  expect(await add()).toEqual({ kind: 'lost', found: null })
})

test('a key that may not look may still add', async () => {
  const { add } = cloudWith({
    lists: [json({ error: 'x', msg: '' }, 403)],
    post: json({ success: true, msg: '' }),
  })
  expect(await add()).toEqual({ kind: 'added', message: '' })
})

test('without a list to compare with, because nothing answers, nothing is sent', async () => {
  const { add, posts } = cloudWith({ lists: [json({ error: 'x', msg: '' }, 401)], post: reset })
  expect(await add()).toMatchObject({ kind: 'not-sent', problem: { kind: 'key-refused' } })
  expect(posts()).toEqual([])
})

test('one record that is no connection hides none of the others, and is counted', async () => {
  const { list, listed } = cloudWith({
    lists: [json([old, { id: 'seven', cloud_type: 's3' }, null, { id: 4 }])],
    post: reset,
  })
  const shown = await list()
  expect(shown).toEqual({
    connections: [old, { id: 4, cloud_type: '', user_given_name: '' }],
    unreadable: 2,
  })
  expect(listed).toEqual([shown])
})

test('what is no list at all is not taken for an empty one', async () => {
  const { list, listed } = cloudWith({ lists: [json({ connections: [] })], post: reset })
  expect(await problemOf(list())).toMatchObject({ kind: 'bad-reply' })
  expect(listed).toEqual([])
})

test('names and answers can neither reorder the screen nor fill it', async () => {
  const { list, add } = cloudWith({
    lists: [json([{ id: 1, cloud_type: 'x'.repeat(9000), user_given_name: 'Da\u202eta\nset' }])],
    post: json({ success: false, msg: `no\u2066${'!'.repeat(100_000)}` }),
  })
  const { connections } = await list()
  expect(connections[0]).toMatchObject({ user_given_name: 'Da�ta set' })
  expect(connections[0]?.cloud_type).toHaveLength(200)
  const refused = await add()
  expect(refused).toMatchObject({ kind: 'refused', message: expect.stringMatching(/^no�!{400,}…$/) })
})
