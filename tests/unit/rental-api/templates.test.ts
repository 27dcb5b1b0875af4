import { expect, test } from 'vitest'
import type { Filters } from '#domain/fields/filter.ts'
import { createHttp } from '#services/rental-api/http.ts'
import { findTemplate, searchTemplates } from '#services/rental-api/templates.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const record = { id: 5, hash_id: 'abc', name: 'Mine', image: 'ubuntu', docker_login_pass: 'canary', tag: 'x' }

function httpThatAnswers(body: unknown) {
  const asked: string[] = []
  const http = createHttp({
    fetch: async (input) => {
      asked.push(String(input))
      return Response.json(body)
    },
    clock: new FakeClock(),
    random: () => 0,
    credentials: async () => ({ serviceAddress: 'https://service.example', bearer: 'key-of-the-test' }),
  })
  return { http, asked }
}

test('filters travel as JSON in the query, whatever is in them', async () => {
  const { http, asked } = httpThatAnswers({ templates: [] })
  const filters = { name: { eq: 'A & B?#"ü"' } }
  expect(await searchTemplates(http, filters)).toEqual({ records: [], unreadable: [] })
  const url = new URL(asked[0] ?? '')
  expect(url.pathname).toBe('/api/v0/template/')
  expect(JSON.parse(url.searchParams.get('select_filters') ?? '')).toEqual(filters)
})

test('unknown fields are kept, the password of a registry is not', async () => {
  const { http } = httpThatAnswers({ templates: [record] })
  const {
    records: [template],
  } = await searchTemplates(http, {})
  expect(template).toMatchObject({ id: 5, tag: 'x' })
  expect(JSON.stringify(template)).not.toContain('canary')
})

test('what was asked for by its creator says who that is, also where the reply leaves it out', async () => {
  const records = [record, { ...record, id: 6, creator_id: 8 }, { ...record, id: 7, creator_id: null }]
  const { http } = httpThatAnswers({ templates: records })
  const creators = async (filters: Filters) =>
    (await searchTemplates(http, filters)).records.map(({ creator_id: id }) => id ?? null)
  expect(await creators({ creator_id: { eq: 9 } })).toEqual([9, 8, 9])
  expect(await creators({ creator_id: { neq: 9 } })).toEqual([null, 8, null])
  expect(await creators({ name: { eq: 'Mine' } })).toEqual([null, 8, null])
})

test('who concludes something from a list that lacks a template gets no list with one that cannot be read', async () => {
  const { http } = httpThatAnswers({ templates: [record, { ...record, id: 'seven' }] })
  await expect(findTemplate(http, 7)).rejects.toMatchObject({ problem: { kind: 'bad-reply' } })
})

test('a template without what rentals name it by is told of, and takes no other away', async () => {
  const { http } = httpThatAnswers({ templates: [{ ...record, hash_id: 7 }, record] })
  expect(await searchTemplates(http, {})).toMatchObject({
    records: [{ id: 5 }],
    unreadable: [{ place: 1, id: 5, detail: expect.stringContaining('hash_id') }],
  })
})

test('a reply of which no template can be read is refused with its path', async () => {
  const { http } = httpThatAnswers({
    templates: [
      { ...record, hash_id: 7 },
      { ...record, hash_id: 8 },
    ],
  })
  await expect(searchTemplates(http, {})).rejects.toMatchObject({
    problem: { kind: 'bad-reply', path: 'templates.0.hash_id' },
  })
})
