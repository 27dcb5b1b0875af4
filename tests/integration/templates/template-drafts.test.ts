import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { Lifetime } from '#domain/base/lifetime.ts'
import { openTemplates } from '#services/templates/open-templates.ts'
import { latestHash } from '#services/templates/template-hash-history.ts'
import { contentOf } from '#domain/templates/template-content.ts'
import { ProblemError } from '#domain/base/problem.ts'
import type { TemplateDraft } from '#domain/templates/template-draft.ts'
import { formOf } from '#domain/templates/template-form.ts'
import { createTemplate, deleteTemplate, findTemplate } from '#services/rental-api/templates.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { contentWith } from '../../support/template-arbitrary.ts'
import { editOf, expectProblem, newDraft, templateScene, uuid, type TemplateScene } from './template-scene.ts'

const token = 'canary-of-the-registry-91c4'
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

describe('the registry’s token', () => {
  test('reaches the service and nothing else', async () => {
    const draft = newDraft(contentWith({ docker_login_repo: 'ghcr.io', docker_login_user: 'me' }))
    await scene.drafts.keep(draft)
    await scene.drafts.holdToken(draft.id, token)
    expect(scene.drafts.latest.value).toMatchObject([{ token: 'held' }])
    expect(JSON.stringify(scene.drafts.read(draft.id))).not.toContain(token)
    expect(await readFile(join(scene.folder, 'template-drafts.json'), 'utf8')).not.toContain(token)
    const bodies: unknown[] = []
    const send = scene.http.send
    scene.http = { send: (request) => (bodies.push(request.body), send(request)) }
    const result = await scene.writer.save(draft)
    expect(result.kind).toBe('saved')
    expect(JSON.stringify(result)).not.toContain(token)
    expect(bodies).toContainEqual(expect.objectContaining({ docker_login_pass: token }))
  })

  test('is held, and kept out of the log, until everything else of the account has ended', async () => {
    const lifetime = new Lifetime()
    const hidden = new Set<string>()
    const { drafts } = await openTemplates(
      {
        http: scene.http,
        userId: () => Promise.resolve(scene.userId),
        file: (name) => ({
          path: join(scene.folder, name),
          clock: systemClock,
          onNotice: ({ detail }) => expect.unreachable(detail),
        }),
        clock: systemClock,
        randomId: uuid,
        log: memoryLog(),
        hide: (secret) => (hidden.add(secret), () => hidden.delete(secret)),
        chooseFile: () => Promise.resolve(null),
        onFound: () => undefined,
      },
      lifetime,
    )
    const draft = newDraft(contentWith({ docker_login_user: 'me' }))
    await drafts.keep(draft)
    await drafts.holdToken(draft.id, token)
    const seen: object[] = []
    const look = (): void => void seen.push({ token: drafts.tokenOf(draft.id), isHidden: hidden.has(token) })
    lifetime.onEnd(look)
    lifetime.follow(async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      look()
    })
    lifetime.start()
    await lifetime.end()
    look()
    const held = { token, isHidden: true }
    expect(seen).toEqual([held, held, { token: null, isHidden: false }])
  })

  test('is not in what the service says about a refusal', async () => {
    const draft = newDraft(contentWith({ docker_login_user: 'me' }))
    await scene.drafts.holdToken(draft.id, token)
    const { send } = scene.http
    scene.http = {
      send: (request) =>
        request.method === 'POST'
          ? Promise.reject(
              new ProblemError({
                kind: 'refused',
                status: 400,
                code: '',
                message: `bad token ${token}, sorry`,
              }),
            )
          : send(request),
    }
    await expectProblem(scene.writer.save(draft), { kind: 'refused', message: 'bad token ••••••, sorry' })
  })

  test('is hidden from the log for as long as it is held, and remembered by nobody afterwards', async () => {
    const draft = newDraft(contentWith({ docker_login_repo: 'ghcr.io', docker_login_user: 'me' }))
    await scene.drafts.keep(draft)
    await scene.drafts.holdToken(draft.id, 'the-one-before')
    await scene.drafts.holdToken(draft.id, token)
    expect([...scene.hidden]).toEqual([token])
    await scene.writer.save(draft)
    expect([...scene.hidden]).toEqual([])
  })

  test('is not kept for the next run, and that is said', async () => {
    const draft = newDraft(contentWith({ docker_login_user: 'me' }))
    await scene.drafts.keep(draft)
    await scene.drafts.holdToken(draft.id, token)
    await scene.reopen()
    expect(scene.drafts.latest.value).toMatchObject([{ token: 'lost', name: 'Mine' }])
    expect(scene.drafts.read(draft.id)?.draft).toEqual(draft)
    await expectProblem(scene.writer.save(draft), { kind: 'invalid-input', field: 'token' })
    await scene.drafts.holdToken(draft.id, null)
    expect(await scene.writer.save(draft)).toMatchObject({ kind: 'saved' })
  })

  test('is removed by an empty one, also when Slipway ended in between', async () => {
    const draft = newDraft(contentWith({ name: 'With a token', docker_login_user: 'me' }))
    await scene.drafts.keep(draft)
    await scene.drafts.holdToken(draft.id, token)
    const made = await scene.writer.save(draft)
    if (made.kind !== 'saved') throw new Error(made.kind)
    const edit = editOf(made.template, {})
    await scene.drafts.keep(edit)
    await scene.drafts.holdToken(edit.id, '')
    expect([...scene.hidden]).toEqual([])
    await scene.reopen()
    expect(scene.drafts.latest.value).toMatchObject([{ token: 'removed' }])
    const before = scene.sent('PUT').length
    expect(await scene.writer.save(edit)).toMatchObject({ kind: 'saved' })
    expect(scene.sent('PUT').slice(before)).toEqual([
      { hash_id: made.template.hash_id, docker_login_pass: '' },
    ])
    // The service has what a template without a token would be.
    const plain = await scene.made({ name: 'With a token', docker_login_user: 'me' })
    expect((await findTemplate(scene.http, made.template.id))?.hash_id).toBe(plain.hash_id)
  })

  test('is kept after all', async () => {
    const base = await scene.made({ docker_login_user: 'me' })
    const edit = editOf(base, { desc: 'new' })
    await scene.drafts.keep(edit)
    await scene.drafts.holdToken(edit.id, '')
    await scene.drafts.holdToken(edit.id, null)
    const before = scene.sent('PUT').length
    expect(await scene.writer.save(edit)).toMatchObject({ kind: 'saved' })
    expect(scene.sent('PUT').slice(before)).toEqual([{ hash_id: base.hash_id, desc: 'new' }])
  })

  test('of a deleted template is asked for before it is created again', async () => {
    const template = await scene.made({ docker_login_repo: 'ghcr.io' })
    const result = await scene.writer.remove(template.id)
    if (result.kind !== 'deleted') throw new Error(result.kind)
    const view = scene.drafts.read(result.draftId)
    if (view === null) throw new Error('no draft')
    expect(view.token).toBe('lost')
    await expectProblem(scene.writer.save(view.draft), { kind: 'invalid-input', field: 'token' })
    await scene.drafts.holdToken(result.draftId, null)
    await scene.drafts.keep(view.draft)
    expect(await scene.writer.save(view.draft)).toMatchObject({ kind: 'saved' })
  })

  test('of a template that an earlier version deleted is asked for, too, and can be dropped for good', async () => {
    const template = await scene.made({ docker_login_user: 'me' })
    const result = await scene.writer.remove(template.id)
    if (result.kind !== 'deleted') throw new Error(result.kind)
    const { draftId } = result
    const path = join(scene.folder, 'template-drafts.json')
    const text = await readFile(path, 'utf8')
    // It did not tell a deleted template's token from none.
    await writeFile(
      path,
      JSON.stringify(JSON.parse(text), (key, value: unknown) =>
        key === 'hadToken' ? false : key === 'removesToken' || key === 'tokenDropped' ? undefined : value,
      ),
    )
    await scene.reopen()
    const view = scene.drafts.read(draftId)
    if (view === null) throw new Error('no draft')
    expect(view.token).toBe('lost')
    await scene.drafts.keep(view.draft)
    await expectProblem(scene.writer.save(view.draft), { kind: 'invalid-input', field: 'token' })
    await scene.drafts.holdToken(draftId, null)
    await scene.reopen()
    await scene.drafts.keep(view.draft)
    expect(scene.drafts.read(draftId)?.token).toBe('none')
    expect(await scene.writer.save(view.draft)).toMatchObject({ kind: 'saved' })
  })

  test('alone is an edit, too', async () => {
    const plain = await scene.made({ docker_login_repo: 'ghcr.io' })
    const draft = editOf(plain, { docker_login_user: 'me' })
    await scene.drafts.holdToken(draft.id, token)
    const before = scene.sent('PUT').length
    expect(await scene.writer.save(draft)).toMatchObject({ kind: 'saved' })
    expect(Object.keys(scene.sent('PUT')[before] as object).toSorted()).toEqual([
      'docker_login_pass',
      'docker_login_user',
      'hash_id',
    ])
  })
})

describe('deleting', () => {
  test('is undone with the switches that no field of its run type shows', async () => {
    const content = contentWith({
      name: 'Odd switches',
      runtype: 'args',
      use_ssh: true,
      jupyter_dir: '/work',
    })
    const template = await createTemplate(scene.http, content, null)
    const result = await scene.writer.remove(template.id)
    if (result.kind !== 'deleted') throw new Error(result.kind)
    const draft = scene.drafts.read(result.draftId)?.draft
    if (draft === undefined) throw new Error('no draft')
    expect(await scene.writer.save(draft)).toMatchObject({ kind: 'saved', wasLost: false })
    expect((await scene.mine()).map(contentOf)).toEqual([content])
  })

  test('cut off before it was sent, what was typed into its draft since is not thrown away', async () => {
    const deleted = await scene.made({ desc: 'old' })
    const draft: TemplateDraft = {
      ...newDraft(contentOf(deleted)),
      origin: { kind: 'deleted', deleted },
      form: formOf({ ...contentOf(deleted), desc: 'typed since' }),
    }
    expect(await scene.writer.save(draft)).toMatchObject({ kind: 'conflict', theirs: { id: deleted.id } })
    expect(scene.drafts.read(draft.id)?.draft.form.desc).toBe('typed since')
    expect(await scene.mine()).toHaveLength(1)
  })

  test('goes by the numeric id, and is undone from what is kept', async () => {
    const template = await scene.made({ desc: 'worth keeping' })
    const before = scene.sent('DELETE').length
    const result = await scene.writer.remove(template.id)
    expect(scene.sent('DELETE').slice(before)).toEqual([{ template_id: template.id }])
    expect(await scene.mine()).toEqual([])
    if (result.kind !== 'deleted') throw new Error(result.kind)
    await scene.reopen()
    const view = scene.drafts.read(result.draftId)
    if (view === null) throw new Error('no draft')
    const undone = await scene.writer.save(view.draft)
    if (undone.kind !== 'saved') throw new Error(undone.kind)
    expect(undone.template.id).not.toBe(template.id)
    expect(contentOf(undone.template)).toEqual(contentOf(template))
    expect(latestHash(scene.hashes, template.hash_id)).toBe(undone.template.hash_id)
  })

  test.each(['reset-after', '502-html'] as const)('a reply lost by %s is looked up', async (kind) => {
    const template = await scene.made()
    service.faults.add({
      kind,
      method: 'DELETE',
      path: '/api/v0/template/',
      ...(kind === '502-html' && { after_work: true }),
    })
    const before = scene.sent('DELETE').length
    expect(await scene.writer.remove(template.id)).toMatchObject({ kind: 'deleted', wasLost: true })
    expect(scene.sent('DELETE').length - before).toBe(1)
  })

  test('what was not deleted is said to be there, and can be made again should it go after all', async () => {
    const template = await scene.made({ desc: 'worth keeping' })
    for (const _ of ['once', 'twice']) {
      service.faults.add({ kind: 'reset-before', method: 'DELETE', path: '/api/v0/template/' })
      expect(await scene.writer.remove(template.id)).toEqual({ kind: 'not-deleted' })
      expect(scene.drafts.latest.value).toMatchObject([{ kind: 'deleted', name: template.name }])
    }
    // The first request comes through late, past Slipway.
    await deleteTemplate(scene.http, template.id)
    const result = await scene.writer.remove(template.id)
    if (result.kind !== 'deleted') throw new Error(result.kind)
    const draft = scene.drafts.read(result.draftId)?.draft
    if (draft === undefined) throw new Error('no draft')
    expect(await scene.writer.save(draft)).toMatchObject({
      kind: 'saved',
      template: { desc: 'worth keeping' },
    })
    expect(scene.drafts.latest.value).toEqual([])
  })

  test('what is there no more, and was not deleted from here, is said to be gone', async () => {
    expect(await scene.writer.remove(999_999_999)).toEqual({ kind: 'gone' })
  })
})
