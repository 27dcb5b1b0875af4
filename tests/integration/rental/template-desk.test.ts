import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ownerOf, type AccountState } from '../../../src-main/domain/account.ts'
import { Latest } from '../../../src-main/domain/latest.ts'
import { contentOf, type TemplateContent } from '../../../src-main/domain/template-content.ts'
import type { TemplateDraft } from '../../../src-main/domain/template-draft.ts'
import { formOf } from '../../../src-main/domain/template-form.ts'
import { latestHash, withNewHash, type TemplateHashes } from '../../../src-main/domain/template-hashes.ts'
import type { Template } from '../../../src-main/domain/template.ts'
import { createHttp, type Http } from '../../../src-main/rental/http.ts'
import { TemplateDesk } from '../../../src-main/rental/template-desk.ts'
import { editTemplate, findTemplate, searchTemplates } from '../../../src-main/rental/templates.ts'
import { openTemplateDrafts, type TemplateDrafts } from '../../../src-main/settings/template-drafts.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { contentWith } from '../../support/template-arbitrary.ts'

const token = 'canary-of-the-registry-91c4'
let service: Simulator
let http: Http
let account: Latest<AccountState>
let owner: string
let userId: number
let folder: string
let drafts: TemplateDrafts
let desk: TemplateDesk
let hashes: TemplateHashes
let id = 0

beforeAll(async () => {
  service = await startSimulator({ offers: 1 })
})
afterAll(() => service.close())

/** Real time, in which waiting takes none. */
function hastyClock() {
  let passedMs = 0
  return {
    now: () => Date.now() + passedMs,
    sleep: async (ms: number, signal?: AbortSignal) => {
      // A deadline of a request is not meant: only what waits for it may go on.
      if (signal) await new Promise(() => undefined)
      passedMs += ms
    },
  }
}

beforeEach(async () => {
  const reply = await fetch(`${service.baseUrl}/_simulator/account`, {
    method: 'POST',
    body: JSON.stringify({ name: 'default' }),
  })
  const { key } = (await reply.json()) as { key: string }
  const clock = hastyClock()
  http = createHttp({
    fetch: globalThis.fetch,
    clock,
    random: () => 0,
    credentials: () => Promise.resolve({ serviceAddress: service.baseUrl, bearer: key }),
  })
  const user = await fetch(`${service.baseUrl}/api/v0/users/current/`, {
    headers: { authorization: `Bearer ${key}` },
  })
  userId = ((await user.json()) as { id: number }).id
  const serviceAddress = service.baseUrl
  owner = ownerOf({ serviceAddress, userId })
  account = new Latest<AccountState>({
    kind: 'connected',
    accountId: 'a',
    serviceAddress,
    userId,
    keyMask: '••••',
    keyKeptIn: 'memory',
    user: null,
    checkedAt: null,
    problem: null,
  })
  folder = await mkdtemp(join(tmpdir(), 'template-desk-'))
  hashes = {}
  await open()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** As at the start of Slipway: everything in memory is gone. */
async function open(): Promise<void> {
  const clock = hastyClock()
  drafts = await openTemplateDrafts({
    path: join(folder, 'template-drafts.json'),
    clock,
    onCorrupt: ({ detail }) => expect.unreachable(detail),
    account,
  })
  desk = new TemplateDesk({
    account: { state: account, httpOf: () => http },
    drafts,
    follow: async (_, from, to) => {
      hashes = withNewHash(hashes, from, to)
    },
    clock,
    randomId: () => uuid(),
    log: memoryLog(),
  })
}

function uuid(): string {
  id += 1
  return `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`
}
const newDraft = (content: TemplateContent): TemplateDraft => ({
  id: uuid(),
  origin: { kind: 'new' },
  form: formOf(content),
})
const editOf = (base: Template, change: Partial<TemplateContent>): TemplateDraft => ({
  id: uuid(),
  origin: { kind: 'edit', base },
  form: formOf({ ...contentOf(base), ...change }),
})
const mine = (): Promise<Template[]> => searchTemplates(http, { creator_id: { eq: userId } })
const sent = (method: string) =>
  service
    .journal()
    .filter((entry) => entry.path === '/api/v0/template/' && entry.method === method)
    .map(({ body }) => body)
async function made(content: Partial<TemplateContent> = {}): Promise<Template> {
  const result = await desk.save(newDraft(contentWith({ name: `Mine ${uuid()}`, ...content })))
  if (result.kind !== 'saved') throw new Error(result.kind)
  return result.template
}
async function expectProblem(work: Promise<unknown>, problem: object): Promise<void> {
  await expect(work).rejects.toMatchObject({ problem })
}

describe('creating', () => {
  test('sends the registry’s fields empty where they are unused, and no switch that does not matter', async () => {
    const before = sent('POST').length
    const template = await made({ runtype: 'ssh', use_ssh: true })
    const [body, ...more] = sent('POST').slice(before)
    expect(more).toEqual([])
    expect(body).toMatchObject({ docker_login_repo: '', docker_login_user: '', use_ssh: true })
    expect(body).toHaveProperty('docker_login_pass')
    expect(body).not.toHaveProperty('args_str')
    expect(body).not.toHaveProperty('jupyter_dir')
    expect(await findTemplate(http, template.id)).toMatchObject({ runtype: 'ssh', recommended_disk_space: 8 })
    expect(drafts.latest.value).toEqual([])
  })

  test('what is wrong is said with its field before anything is sent', async () => {
    const before = service.journal().length
    await expectProblem(desk.save(newDraft(contentWith({ image: 'a b' }))), {
      kind: 'invalid-input',
      field: 'image',
    })
    expect(service.journal().length).toBe(before)
  })

  test.each(['reset-after', '502-html', 'truncated'] as const)(
    'a reply lost by %s makes one template',
    async (kind) => {
      service.faults.add({
        kind,
        method: 'POST',
        path: '/api/v0/template/',
        ...(kind === '502-html' && { after_work: true }),
      })
      const before = sent('POST').length
      const result = await desk.save(newDraft(contentWith({})))
      expect(result).toMatchObject({ kind: 'saved', wasLost: true })
      expect(await mine()).toHaveLength(1)
      expect(sent('POST').length - before).toBe(1)
      expect(drafts.latest.value).toEqual([])
    },
  )

  test('a request that never arrived saves nothing, says so, and can be saved again', async () => {
    service.faults.add({ kind: 'reset-before', method: 'POST', path: '/api/v0/template/' })
    const draft = newDraft(contentWith({}))
    expect(await desk.save(draft)).toEqual({ kind: 'not-saved' })
    expect(await mine()).toEqual([])
    expect(drafts.latest.value).toMatchObject([{ isUnsettled: false }])
    expect(await desk.save(draft)).toMatchObject({ kind: 'saved', wasLost: false })
    expect(await mine()).toHaveLength(1)
  })

  test('cut off after it was sent, it is looked for in the next run and not sent again', async () => {
    const draft = newDraft(contentWith({ name: 'Cut off' }))
    const template = await made({ name: 'Cut off' })
    // As a crash leaves it: the draft with what was sent, and no end.
    await drafts.keep(owner, draft)
    await drafts.markSent(owner, draft.id, {
      at: Date.now(),
      knownIds: [],
      content: contentWith({ name: 'Cut off' }),
    })
    await open()
    expect(drafts.latest.value).toMatchObject([{ isUnsettled: true }])
    const before = sent('POST').length
    expect(await desk.save(draft)).toMatchObject({
      kind: 'saved',
      template: { id: template.id },
      wasLost: true,
    })
    expect(sent('POST').length).toBe(before)
  })
})

describe('editing', () => {
  test('sends the hash id and only what was changed, and follows the new hash id', async () => {
    const base = await made({ desc: 'old', env: '-e A=1' })
    const before = sent('PUT').length
    const result = await desk.save(editOf(base, { desc: 'new' }))
    expect(sent('PUT').slice(before)).toEqual([{ hash_id: base.hash_id, desc: 'new' }])
    const now = await findTemplate(http, base.id)
    expect(now?.hash_id).not.toBe(base.hash_id)
    expect(result).toMatchObject({ kind: 'saved', template: { hash_id: now?.hash_id, desc: 'new' } })
    expect(latestHash(hashes, base.hash_id)).toBe(now?.hash_id)
  })

  test('somebody else’s edit is noticed, nothing is sent, and both can be saved together', async () => {
    const base = await made({ desc: 'old' })
    await editTemplate(http, base, { desc: 'theirs' }, null)
    const before = sent('PUT').length
    const result = await desk.save(editOf(base, { tag: 'v2' }))
    expect(result).toMatchObject({ kind: 'conflict', theirs: { id: base.id, desc: 'theirs' } })
    expect(sent('PUT').length).toBe(before)
    expect(drafts.latest.value).toMatchObject([{ templateId: base.id }])
    if (result.kind !== 'conflict') return
    expect(await desk.save(editOf(result.theirs, { tag: 'v2' }))).toMatchObject({ kind: 'saved' })
    expect(await findTemplate(http, base.id)).toMatchObject({ desc: 'theirs', tag: 'v2' })
  })

  test('somebody who is faster between the look and the edit is noticed all the same', async () => {
    const base = await made({ desc: 'old' })
    const { send } = http
    const others: Http = { send }
    http = {
      send: async (request) => {
        if (request.method === 'PUT') await editTemplate(others, base, { desc: 'theirs' }, null)
        return send(request)
      },
    }
    const draft = editOf(base, { tag: 'v2' })
    expect(await desk.save(draft)).toMatchObject({
      kind: 'conflict',
      theirs: { desc: 'theirs', tag: 'latest' },
    })
    expect(drafts.read(owner, draft.id)).toMatchObject({ isUnsettled: false })
  })

  test('a refusal that has another reason is told as it is', async () => {
    const base = await made({ desc: 'old' })
    service.faults.add({ kind: 'refused', method: 'PUT', error: 'template_locked' })
    const draft = editOf(base, { tag: 'v2' })
    await expectProblem(desk.save(draft), { kind: 'refused', code: 'template_locked' })
    expect(drafts.read(owner, draft.id)).toMatchObject({ isUnsettled: false })
  })

  test.each(['reset-after', '500', 'malformed-json'] as const)(
    'a reply lost by %s edits once',
    async (kind) => {
      const base = await made({ desc: 'old' })
      service.faults.add({
        kind,
        method: 'PUT',
        path: '/api/v0/template/',
        ...(kind === '500' && { after_work: true }),
      })
      const before = sent('PUT').length
      expect(await desk.save(editOf(base, { desc: 'new' }))).toMatchObject({
        kind: 'saved',
        wasLost: true,
        template: { desc: 'new' },
      })
      expect(sent('PUT').length - before).toBe(1)
      expect(latestHash(hashes, base.hash_id)).toBe((await findTemplate(http, base.id))?.hash_id)
    },
  )

  test('an edit that never arrived is said to be not saved', async () => {
    const base = await made({ desc: 'old' })
    service.faults.add({ kind: 'reset-before', method: 'PUT', path: '/api/v0/template/' })
    expect(await desk.save(editOf(base, { desc: 'new' }))).toEqual({ kind: 'not-saved' })
    expect(await findTemplate(http, base.id)).toMatchObject({ desc: 'old' })
  })

  test('of two templates with one content, neither is changed by mistake', async () => {
    const name = `Twins ${uuid()}`
    const [one, other] = [await made({ name }), await made({ name })]
    expect(one.hash_id).toBe(other.hash_id)
    expect(await desk.save(editOf(other, { desc: 'new' }))).toEqual({ kind: 'twins', ids: [one.id] })
  })

  test('a deleted template is said to be gone', async () => {
    const base = await made()
    await desk.remove(base.id)
    expect(await desk.save(editOf(base, { desc: 'new' }))).toEqual({ kind: 'gone' })
  })
})

describe('the registry’s token', () => {
  test('reaches the service and nothing else', async () => {
    const draft = newDraft(contentWith({ docker_login_repo: 'ghcr.io', docker_login_user: 'me' }))
    await expectProblem(desk.save(draft), { kind: 'invalid-input', field: 'token' })
    await drafts.keep(owner, draft)
    await drafts.holdToken(owner, draft.id, token)
    expect(drafts.latest.value).toMatchObject([{ token: 'held' }])
    expect(JSON.stringify(drafts.read(owner, draft.id))).not.toContain(token)
    expect(await readFile(join(folder, 'template-drafts.json'), 'utf8')).not.toContain(token)
    const bodies: unknown[] = []
    const send = http.send
    http = { send: (request) => (bodies.push(request.body), send(request)) }
    const result = await desk.save(draft)
    expect(result.kind).toBe('saved')
    expect(JSON.stringify(result)).not.toContain(token)
    expect(bodies).toContainEqual(expect.objectContaining({ docker_login_pass: token }))
  })

  test('is not kept for the next run, and that is said', async () => {
    const draft = newDraft(contentWith({ docker_login_user: 'me' }))
    await drafts.keep(owner, draft)
    await drafts.holdToken(owner, draft.id, token)
    await open()
    expect(drafts.latest.value).toMatchObject([{ token: 'lost', name: 'Mine' }])
    expect(drafts.read(owner, draft.id)?.draft).toEqual(draft)
    await expectProblem(desk.save(draft), { kind: 'invalid-input', field: 'token' })
  })

  test('alone is an edit, too', async () => {
    const base = await made({ docker_login_user: 'me-before' }).catch(() => null)
    expect(base).toBeNull()
    const open = await made({ docker_login_repo: 'ghcr.io' })
    const draft = editOf(open, { docker_login_user: 'me' })
    await drafts.holdToken(owner, draft.id, token)
    const before = sent('PUT').length
    expect(await desk.save(draft)).toMatchObject({ kind: 'saved' })
    expect(Object.keys(sent('PUT')[before] as object).toSorted()).toEqual([
      'docker_login_pass',
      'docker_login_user',
      'hash_id',
    ])
  })
})

describe('deleting', () => {
  test('goes by the numeric id, and is undone from what is kept', async () => {
    const template = await made({ desc: 'worth keeping' })
    const before = sent('DELETE').length
    const result = await desk.remove(template.id)
    expect(sent('DELETE').slice(before)).toEqual([{ template_id: template.id }])
    expect(await mine()).toEqual([])
    if (result.kind !== 'deleted') throw new Error(result.kind)
    await open()
    const view = drafts.read(owner, result.draftId)
    if (view === null) throw new Error('no draft')
    const undone = await desk.save(view.draft)
    if (undone.kind !== 'saved') throw new Error(undone.kind)
    expect(undone.template.id).not.toBe(template.id)
    expect(contentOf(undone.template)).toEqual(contentOf(template))
    expect(latestHash(hashes, template.hash_id)).toBe(undone.template.hash_id)
  })

  test.each(['reset-after', '502-html'] as const)('a reply lost by %s is looked up', async (kind) => {
    const template = await made()
    service.faults.add({
      kind,
      method: 'DELETE',
      path: '/api/v0/template/',
      ...(kind === '502-html' && { after_work: true }),
    })
    const before = sent('DELETE').length
    expect(await desk.remove(template.id)).toMatchObject({ kind: 'deleted', wasLost: true })
    expect(sent('DELETE').length - before).toBe(1)
  })

  test('what was not deleted is said to be there, and is no draft', async () => {
    const template = await made()
    service.faults.add({ kind: 'reset-before', method: 'DELETE', path: '/api/v0/template/' })
    expect(await desk.remove(template.id)).toEqual({ kind: 'not-deleted' })
    expect(drafts.latest.value).toEqual([])
    expect(await desk.remove(999_999_999)).toEqual({ kind: 'gone' })
  })
})

test('drafts of one account are not another’s', async () => {
  await drafts.keep(owner, newDraft(contentWith({})))
  const before = account.value
  if (before.kind !== 'connected') throw new Error('not connected')
  account.set({ ...before, accountId: 'b', userId: userId + 1 })
  await open()
  expect(drafts.latest.value).toEqual([])
  account.set(before)
  await open()
  expect(drafts.latest.value).toHaveLength(1)
})
