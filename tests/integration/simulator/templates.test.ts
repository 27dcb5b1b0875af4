import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call } from './caller.ts'
import { containing } from './expectations.ts'
import {
  createTemplate,
  editTemplate,
  findTemplates,
  newAccount,
  REQUIRED,
  TEMPLATES,
} from './template-caller.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ offers: 20 })
})
afterAll(() => simulator.close())

it.each(['hash_id', 'creator_id', 'recommended', '__proto__'])(
  'a new template has no field %s',
  async (field) => {
    const text = JSON.stringify(REQUIRED).replace('{', `{"${field}":"1",`)
    expect(await call(simulator, 'POST', TEMPLATES, { text })).toMatchObject({
      status: 400,
      body: { msg: containing(`"${field}"`) },
    })
  },
)

it('an edit may name a field that has that value already', async () => {
  const me = newAccount(simulator)
  const made = await createTemplate(me)
  expect(await editTemplate(me, { hash_id: made.hash_id, name: 'Mine' })).toEqual(made)
  const edited = await editTemplate(me, { hash_id: made.hash_id, name: 'Mine', desc: 'new' })
  expect(edited).toEqual({ ...made, desc: 'new', hash_id: edited.hash_id })
})

it('a template of somebody else cannot be changed', async () => {
  const { hash_id: hashId } = await createTemplate(newAccount(simulator), { name: 'Theirs' })
  const body = { hash_id: hashId, name: 'x' }
  expect((await call(newAccount(simulator), 'PUT', TEMPLATES, { body })).status).toBe(404)
})

describe('a search', () => {
  it('has a catalogue to search, some of it recommended', async () => {
    const all = await findTemplates(simulator)
    const recommended = await findTemplates(simulator, { recommended: { eq: true } })
    expect(all.length).toBeGreaterThanOrEqual(40)
    expect(recommended.length).toBeGreaterThan(5)
    expect(recommended.length).toBeLessThan(all.length)
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['ComfyUI', 'vLLM', 'Ollama']))
  })

  it('is refused with the same filters twice', async () => {
    const answer = await call(simulator, 'GET', `${TEMPLATES}?select_filters={}&select_filters={}`)
    expect(answer).toMatchObject({ status: 400, body: { msg: containing('query.select_filters: ') } })
  })

  it('serves thousands, the same for the same seed', async () => {
    const [large, twin] = await Promise.all([1, 2].map(() => startSimulator({ offers: 1, templates: 5000 })))
    try {
      if (large === undefined || twin === undefined) throw new Error('no simulator')
      const found = await findTemplates(large)
      expect(found).toHaveLength(5000)
      expect(new Set(found.map(({ hash_id: hashId }) => hashId)).size).toBe(5000)
      expect((await findTemplates(twin)).map(({ hash_id: hashId }) => hashId)).toEqual(
        found.map(({ hash_id: hashId }) => hashId),
      )
    } finally {
      await Promise.all([large?.close(), twin?.close()])
    }
  })
})
