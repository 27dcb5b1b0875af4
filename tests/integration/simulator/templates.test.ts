import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call } from './caller.ts'
import { anyNumber, anyString, containing } from './expectations.ts'
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

describe('a new template', () => {
  it('has the defaults of the API', async () => {
    const me = newAccount(simulator)
    const answer = await call(me, 'POST', TEMPLATES, { body: REQUIRED })
    const { docker_login_pass: _never, ...shown } = REQUIRED
    expect(answer).toMatchObject({
      status: 200,
      body: {
        template: {
          ...shown,
          id: anyNumber,
          hash_id: anyString,
          tag: 'latest',
          runtype: 'args',
          recommended_disk_space: 8,
          private: false,
          recommended: false,
          count_created: 0,
          recent_create_date: null,
          jupyter_dir: null,
          extra_filters: {},
        },
      },
    })
    expect(JSON.stringify(answer.body)).not.toContain('docker_login_pass')
  })

  it.each([
    ['name', undefined],
    ['image', undefined],
    ['docker_login_repo', undefined],
    ['docker_login_user', undefined],
    ['docker_login_pass', undefined],
    ['docker_login_pass', null],
    ['name', ''],
    ['tag', 5],
    ['desc', null],
    ['readme', 5],
    ['env', { A: '1' }],
    ['env', '/data:/data'],
    ['env', '-e A="1'],
    ['onstart', ['true']],
    ['runtype', 'shell'],
    ['args_str', []],
    ['ssh_direct', 'true'],
    ['use_ssh', 1],
    ['jup_direct', null],
    ['jupyter_dir', 5],
    ['use_jupyter_lab', 'yes'],
    ['href', null],
    ['repo', 1],
    ['extra_filters', []],
    ['extra_filters', { gpu_ram: 5 }],
    ['extra_filters', { color: { eq: 'red' } }],
    ['extra_filters', { gpu_ram: { about: 5 } }],
    ['extra_filters', { gpu_ram: { gte: '5' } }],
    ['recommended_disk_space', '8'],
    ['recommended_disk_space', 0],
    ['private', 'no'],
    ['volume_info', 'none'],
  ])('is refused with %s %j', async (field, value) => {
    const body = { ...REQUIRED, [field]: value }
    expect(await call(simulator, 'POST', TEMPLATES, { body })).toMatchObject({
      status: 400,
      body: { error: 'bad_request', msg: containing(`body.${field}`) },
    })
  })

  it.each(['id', 'hash_id', 'creator_id', 'recommended', 'description', '__proto__'])(
    'has no field %s',
    async (field) => {
      const text = JSON.stringify(REQUIRED).replace('{', `{"${field}":"1",`)
      expect(await call(simulator, 'POST', TEMPLATES, { text })).toMatchObject({
        status: 400,
        body: { msg: containing(`"${field}"`) },
      })
    },
  )
})

describe('the hash_id', () => {
  it('is of the content: it changes with every edit, and comes back with the content', async () => {
    const me = newAccount(simulator)
    const first = await createTemplate(me)
    const edited = await editTemplate(me, { hash_id: first.hash_id, desc: 'other' })
    expect(edited).toMatchObject({ id: first.id, desc: 'other', name: 'Mine' })
    expect(edited.hash_id).not.toBe(first.hash_id)
    const back = await editTemplate(me, { hash_id: edited.hash_id, desc: '' })
    expect(back.hash_id).toBe(first.hash_id)
  })

  it('changes with the password too, which is never shown', async () => {
    const me = newAccount(simulator)
    const { hash_id: hashId } = await createTemplate(me)
    const template = await editTemplate(me, { hash_id: hashId, docker_login_pass: 'canary' })
    expect(template.hash_id).not.toBe(hashId)
    expect(JSON.stringify([template, await findTemplates(me, {})])).not.toContain('canary')
  })

  it('leads nowhere once it is replaced', async () => {
    const me = newAccount(simulator)
    const { hash_id: hashId } = await createTemplate(me)
    await editTemplate(me, { hash_id: hashId, name: 'Renamed' })
    expect(await call(me, 'PUT', TEMPLATES, { body: { hash_id: hashId, name: 'Again' } })).toMatchObject({
      status: 404,
      body: { error: 'no_such_template' },
    })
  })
})

describe('an edit', () => {
  it.each([
    [{}, 'there is no field to change'],
    [{ desc: null }, 'body.desc: '],
    [{ id: 4 }, '"id"'],
    [{ runtype: 'shell' }, 'body.runtype: '],
    [{ extra_filters: { gpu_ram: {} } }, 'body.extra_filters.gpu_ram: '],
  ])('is refused with %j', async (changes, reason) => {
    const me = newAccount(simulator)
    const { hash_id: hashId } = await createTemplate(me)
    expect(await call(me, 'PUT', TEMPLATES, { body: { hash_id: hashId, ...changes } })).toMatchObject({
      status: 400,
      body: { error: 'bad_request', msg: containing(reason) },
    })
  })

  it('may name a field that has that value already', async () => {
    const me = newAccount(simulator)
    const made = await createTemplate(me)
    expect(await editTemplate(me, { hash_id: made.hash_id, name: 'Mine' })).toEqual(made)
    const edited = await editTemplate(me, { hash_id: made.hash_id, name: 'Mine', desc: 'new' })
    expect(edited).toEqual({ ...made, desc: 'new', hash_id: edited.hash_id })
  })

  it('needs the hash_id, the numeric id will not do', async () => {
    const { id } = await createTemplate(simulator)
    expect((await call(simulator, 'PUT', TEMPLATES, { body: { name: 'x' } })).status).toBe(400)
    expect((await call(simulator, 'PUT', TEMPLATES, { body: { hash_id: id, name: 'x' } })).status).toBe(400)
    expect(
      (await call(simulator, 'PUT', TEMPLATES, { body: { hash_id: String(id), name: 'x' } })).status,
    ).toBe(404)
  })
})

describe('a deletion', () => {
  it('takes the numeric id, once', async () => {
    const { id, hash_id: hashId } = await createTemplate(simulator)
    const remove = (templateId: unknown): ReturnType<typeof call> =>
      call(simulator, 'DELETE', TEMPLATES, { body: { template_id: templateId } })
    expect((await remove(hashId)).status).toBe(400)
    expect((await remove(String(id))).status).toBe(400)
    expect((await call(simulator, 'DELETE', TEMPLATES)).status).toBe(400)
    expect(await remove(id)).toMatchObject({ status: 200, body: { success: true } })
    expect(await findTemplates(simulator, { id: { eq: id } })).toEqual([])
    expect(await remove(id)).toMatchObject({ status: 404, body: { error: 'no_such_template' } })
  })
})

describe('the templates of others', () => {
  it('are found if they are public, and cannot be changed or deleted', async () => {
    const [me, other] = [newAccount(simulator), newAccount(simulator)]
    const { id, hash_id: hashId } = await createTemplate(other, { name: 'Theirs' })
    expect(await findTemplates(me, { id: { eq: id } })).toMatchObject([{ name: 'Theirs' }])
    expect((await call(me, 'PUT', TEMPLATES, { body: { hash_id: hashId, name: 'x' } })).status).toBe(404)
    expect((await call(me, 'DELETE', TEMPLATES, { body: { template_id: id } })).status).toBe(404)
  })

  it('are not found if they are private', async () => {
    const [me, other] = [newAccount(simulator), newAccount(simulator)]
    const { id } = await createTemplate(other, { private: true })
    expect(await findTemplates(me, { id: { eq: id } })).toEqual([])
    expect(await findTemplates(other, { id: { eq: id } })).toHaveLength(1)
  })
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

  it.each([
    ['?select_filters=name', 'not valid JSON'],
    ['?select_filters=', 'query.select_filters: '],
    ['?select_filters=[]', 'query.select_filters: '],
    ['?select_filters={"name":"vLLM"}', 'query.select_filters.name: '],
    ['?select_filters={"name":{}}', 'expected an operator'],
    ['?select_filters={"name":{"like":"v"}}', 'query.select_filters.name.like: unknown operator'],
    ['?select_filters={"desc":{"eq":"v"}}', 'query.select_filters.desc: there is no such field'],
    ['?select_filters={"docker_login_pass":{"eq":"v"}}', 'there is no such field'],
    ['?select_filters={"id":{"eq":1.5}}', 'expected integer'],
    ['?select_filters={"use_ssh":{"eq":1}}', 'expected boolean'],
    ['?select_filters={"name":{"in":"vLLM"}}', 'expected an array'],
    ['?select_filters={"name":{"eq":["vLLM"]}}', 'expected one string'],
    ['?query=vLLM', '"query"'],
    ['?select_filters={}&select_filters={}', 'query.select_filters: '],
  ])('is refused with %s', async (query, reason) => {
    expect(await call(simulator, 'GET', TEMPLATES + query)).toMatchObject({
      status: 400,
      body: { error: 'bad_request', msg: containing(reason) },
    })
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
