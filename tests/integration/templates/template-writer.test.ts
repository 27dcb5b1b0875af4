import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { latestHash } from '#services/templates/template-hash-history.ts'
import { newOrigin } from '#domain/templates/template-draft.ts'
import type { Http } from '#services/rental-api/http.ts'
import { editTemplate, findTemplate, findTemplateWithCreator } from '#services/rental-api/templates.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { contentWith } from '../../support/template-arbitrary.ts'
import { editOf, expectProblem, newDraft, templateScene, uuid, type TemplateScene } from './template-scene.ts'

let service: Simulator
let scene: TemplateScene
beforeAll(async () => {
  service = await startSimulator({ offers: 1 })
})
afterAll(() => service.close())
beforeEach(async () => {
  scene = await templateScene(service)
})
afterEach(() => scene.end())

describe('creating', () => {
  test('sends the registry’s fields empty where they are unused, and no switch that does not matter', async () => {
    const before = scene.sent('POST').length
    const template = await scene.made({ runtype: 'ssh', use_ssh: true })
    const [body, ...more] = scene.sent('POST').slice(before)
    expect(more).toEqual([])
    expect(body).toMatchObject({ docker_login_repo: '', docker_login_user: '', use_ssh: true })
    expect(body).toHaveProperty('docker_login_pass')
    expect(body).not.toHaveProperty('args_str')
    expect(body).not.toHaveProperty('jupyter_dir')
    expect(await findTemplate(scene.http, template.id)).toMatchObject({
      runtype: 'ssh',
      recommended_disk_space: 8,
    })
    expect(scene.drafts.latest.value).toEqual([])
  })

  test('a copy is sent with what its run type hides', async () => {
    const content = contentWith({
      name: `Copy ${uuid()}`,
      runtype: 'ssh',
      args_str: '--serve',
      use_ssh: true,
    })
    const draft = { ...newDraft(content), origin: newOrigin(content) }
    await scene.drafts.keep(draft)
    await scene.reopen()
    const kept = scene.drafts.read(draft.id)?.draft
    if (kept === undefined) throw new Error('no draft')
    const before = scene.sent('POST').length
    expect(await scene.writer.save(kept)).toMatchObject({ kind: 'saved' })
    expect(scene.sent('POST').slice(before)).toMatchObject([{ args_str: '--serve', use_ssh: true }])
  })

  test('what is wrong is said with its field before anything is sent', async () => {
    const before = service.journal().length
    await expectProblem(scene.writer.save(newDraft(contentWith({ image: '' }))), {
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
      const before = scene.sent('POST').length
      const result = await scene.writer.save(newDraft(contentWith({})))
      expect(result).toMatchObject({ kind: 'saved', wasLost: true })
      expect(await scene.mine()).toHaveLength(1)
      expect(scene.sent('POST').length - before).toBe(1)
      expect(scene.drafts.latest.value).toEqual([])
    },
  )

  test('a request that never arrived saves nothing, says so, and can be saved again', async () => {
    service.faults.add({ kind: 'reset-before', method: 'POST', path: '/api/v0/template/' })
    const draft = newDraft(contentWith({}))
    expect(await scene.writer.save(draft)).toEqual({ kind: 'not-saved' })
    expect(await scene.mine()).toEqual([])
    expect(scene.drafts.latest.value).toMatchObject([{ isUnsettled: false }])
    expect(await scene.writer.save(draft)).toMatchObject({ kind: 'saved', wasLost: false })
    expect(await scene.mine()).toHaveLength(1)
  })

  test('cut off after it was sent, it is looked for in the next run and not sent again', async () => {
    const draft = newDraft(contentWith({ name: 'Cut off' }))
    const template = await scene.made({ name: 'Cut off' })
    // As a crash leaves it: the draft with what was sent, and no end.
    await scene.drafts.keep(draft)
    await scene.drafts.markSent(draft.id, {
      at: Date.now(),
      knownIds: [],
      content: contentWith({ name: 'Cut off' }),
    })
    await scene.reopen()
    expect(scene.drafts.latest.value).toMatchObject([{ isUnsettled: true }])
    const before = scene.sent('POST').length
    expect(await scene.writer.save(draft)).toMatchObject({
      kind: 'saved',
      template: { id: template.id },
      wasLost: true,
    })
    expect(scene.sent('POST').length).toBe(before)
  })

  test('changed after it was sent, it is an edit of what was made, however often it is saved', async () => {
    const sent = contentWith({ name: 'Changed since' })
    const made = await scene.made({ name: 'Changed since' })
    const draft = { ...newDraft(sent), form: { ...newDraft(sent).form, desc: 'typed since' } }
    await scene.drafts.keep(draft)
    await scene.drafts.markSent(draft.id, { at: Date.now(), knownIds: [], content: sent })
    for (const _ of ['saved', 'put off, and saved again'])
      expect(await scene.writer.save(draft)).toMatchObject({ kind: 'conflict', theirs: { id: made.id } })
    expect(await scene.mine()).toHaveLength(1)
    const merged = { ...draft, origin: { kind: 'edit', base: made } as const }
    await scene.drafts.keep(merged)
    expect(scene.drafts.latest.value).toMatchObject([{ kind: 'edit', isUnsettled: false }])
    expect(await scene.writer.save(merged)).toMatchObject({
      kind: 'saved',
      template: { desc: 'typed since' },
    })
    expect(await scene.mine()).toHaveLength(1)
  })
})

describe('editing', () => {
  test('sends the hash id and only what was changed, and follows the new hash id', async () => {
    const base = await scene.made({ desc: 'old', env: '-e A=1' })
    const before = scene.sent('PUT').length
    const result = await scene.writer.save(editOf(base, { desc: 'new' }))
    expect(scene.sent('PUT').slice(before)).toEqual([{ hash_id: base.hash_id, desc: 'new' }])
    const now = await findTemplate(scene.http, base.id)
    expect(now?.hash_id).not.toBe(base.hash_id)
    expect(result).toMatchObject({ kind: 'saved', template: { hash_id: now?.hash_id, desc: 'new' } })
    expect(latestHash(scene.hashes, base.hash_id)).toBe(now?.hash_id)
  })

  test('somebody else’s edit is noticed, nothing is sent, and both can be saved together', async () => {
    const base = await scene.made({ desc: 'old' })
    await editTemplate(scene.http, base, { desc: 'theirs' }, null)
    const before = scene.sent('PUT').length
    const result = await scene.writer.save(editOf(base, { tag: 'v2' }))
    expect(result).toMatchObject({ kind: 'conflict', theirs: { id: base.id, desc: 'theirs' } })
    expect(scene.sent('PUT').length).toBe(before)
    expect(scene.drafts.latest.value).toMatchObject([{ templateId: base.id }])
    if (result.kind !== 'conflict') return
    expect(await scene.writer.save(editOf(result.theirs, { tag: 'v2' }))).toMatchObject({ kind: 'saved' })
    expect(await findTemplate(scene.http, base.id)).toMatchObject({ desc: 'theirs', tag: 'v2' })
  })

  test('somebody who is faster between the look and the edit is noticed all the same', async () => {
    const base = await scene.made({ desc: 'old' })
    const { send } = scene.http
    const others: Http = { send }
    scene.http = {
      send: async (request) => {
        if (request.method === 'PUT') await editTemplate(others, base, { desc: 'theirs' }, null)
        return send(request)
      },
    }
    const draft = editOf(base, { tag: 'v2' })
    expect(await scene.writer.save(draft)).toMatchObject({
      kind: 'conflict',
      theirs: { desc: 'theirs', tag: 'latest' },
    })
    expect(scene.drafts.read(draft.id)).toMatchObject({ isUnsettled: false })
  })

  test('a refusal that has another reason is told as it is', async () => {
    const base = await scene.made({ desc: 'old' })
    service.faults.add({ kind: 'refused', method: 'PUT', error: 'template_locked' })
    const draft = editOf(base, { tag: 'v2' })
    await expectProblem(scene.writer.save(draft), { kind: 'refused', code: 'template_locked' })
    expect(scene.drafts.read(draft.id)).toMatchObject({ isUnsettled: false })
  })

  test.each(['reset-after', '500', 'malformed-json'] as const)(
    'a reply lost by %s edits once',
    async (kind) => {
      const base = await scene.made({ desc: 'old' })
      service.faults.add({
        kind,
        method: 'PUT',
        path: '/api/v0/template/',
        ...(kind === '500' && { after_work: true }),
      })
      const before = scene.sent('PUT').length
      expect(await scene.writer.save(editOf(base, { desc: 'new' }))).toMatchObject({
        kind: 'saved',
        wasLost: true,
        template: { desc: 'new' },
      })
      expect(scene.sent('PUT').length - before).toBe(1)
      expect(latestHash(scene.hashes, base.hash_id)).toBe((await findTemplate(scene.http, base.id))?.hash_id)
    },
  )

  test('an edit that never arrived is said to be not saved', async () => {
    const base = await scene.made({ desc: 'old' })
    service.faults.add({ kind: 'reset-before', method: 'PUT', path: '/api/v0/template/' })
    expect(await scene.writer.save(editOf(base, { desc: 'new' }))).toEqual({ kind: 'not-saved' })
    expect(await findTemplate(scene.http, base.id)).toMatchObject({ desc: 'old' })
  })

  test('of two templates with one content, neither is changed by mistake', async () => {
    const name = `Twins ${uuid()}`
    const [one, other] = [await scene.made({ name }), await scene.made({ name })]
    expect(one.hash_id).toBe(other.hash_id)
    expect(await scene.writer.save(editOf(other, { desc: 'new' }))).toEqual({ kind: 'twins', ids: [one.id] })
  })

  test('also where no reply names the creator, and the account may edit what it made', async () => {
    service.faults.add({
      kind: 'missing-fields',
      path: '/api/v0/template/',
      fields: ['creator_id'],
      times: 100,
    })
    const name = `Twins ${uuid()}`
    const [one, other] = [await scene.made({ name }), await scene.made({ name })]
    expect(one.creator_id).toBe(scene.userId)
    expect(await scene.writer.save(editOf(other, { desc: 'new' }))).toEqual({ kind: 'twins', ids: [one.id] })
    expect(await findTemplateWithCreator(scene.http, one.id, scene.userId)).toMatchObject({
      id: one.id,
      creator_id: scene.userId,
    })
    const theirs = await findTemplateWithCreator(scene.http, one.id, scene.userId + 1)
    expect(theirs?.creator_id).toBeUndefined()
    service.faults.clear()
  })

  test('a deleted template is said to be gone', async () => {
    const base = await scene.made()
    await scene.writer.remove(base.id)
    expect(await scene.writer.save(editOf(base, { desc: 'new' }))).toEqual({ kind: 'gone' })
  })
})
