import { expect, test } from 'vitest'
import { z } from 'zod'
import { withoutSecrets } from '#domain/fields/secret-field.ts'
import {
  deepestReply,
  longestReplyTextBytes,
  mostReplyValues,
  readJson,
} from '#services/rental-api/reply-json.ts'
import { readReply } from '#services/rental-api/reply.ts'
import { problemOf } from '../../support/problem-of.ts'

const nested = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)

test.each([
  [100_000, '[', ']'],
  [100_000, '{"a":', '1}'],
  // Not even closed: it is seen before its end.
  [1_000_000, '[', ''],
])('%d times %s is refused before it is parsed', (times, open, close) => {
  const text = open.repeat(times) + close.repeat(times)
  expect(readJson(Buffer.from(text))).toEqual({ ok: false, detail: 'nested far too deeply' })
})

test('what is as deep as it may be can be masked, written down and copied', () => {
  const read = readJson(Buffer.from(nested(deepestReply)))
  if (!read.ok) throw new Error(read.detail)
  expect(JSON.stringify(withoutSecrets(structuredClone(read.value)))).toBe(nested(deepestReply))
  expect(readJson(Buffer.from(nested(deepestReply + 1))).ok).toBe(false)
})

test('values and texts are bounded', () => {
  expect(readJson(Buffer.from(`[${'0,'.repeat(mostReplyValues)}0]`))).toMatchObject({
    detail: 'far too many values',
  })
  const longest = Buffer.concat([
    Buffer.from('"'),
    Buffer.alloc(longestReplyTextBytes + 1, 'x'),
    Buffer.from('"'),
  ])
  expect(readJson(longest)).toMatchObject({ detail: 'a text that is far too long' })
  expect(readJson(longest.subarray(2))).toMatchObject({ detail: 'no valid JSON' })
})

test('signs within texts count for nothing', () => {
  const text = JSON.stringify({ '"[{\\': `\\"${'[{,'.repeat(100)}"\\\\`, ü: '„[“' })
  expect(readJson(Buffer.from(text))).toEqual({ ok: true, value: JSON.parse(text) })
})

test('a record whose name is __proto__ gives no other record anything, and a number beyond all is none', async () => {
  const reply = { reply: z.looseObject({ id: z.number() }) }
  const record = await readReply(new Response('{"id":1,"__proto__":{"is_admin":true}}'), reply, 0)
  expect('is_admin' in record).toBe(false)
  expect(await problemOf(readReply(new Response('{"id":1e999}'), reply, 0))).toMatchObject({
    kind: 'bad-reply',
    path: 'id',
  })
})

test('an error of a million levels is told by its status', async () => {
  const reply = new Response('['.repeat(1_000_000), { status: 500 })
  const told = await problemOf(readReply(reply, { reply: z.unknown() }, 0))
  expect(told).toMatchObject({ kind: 'service-failed', status: 500 })
})
