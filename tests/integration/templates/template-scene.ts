import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { contentOf, type TemplateContent } from '#domain/templates/template-content.ts'
import type { TemplateDraft } from '#domain/templates/template-draft.ts'
import { formOf } from '#domain/templates/template-form.ts'
import { withNewHash, type TemplateHashes } from '#services/templates/template-hash-history.ts'
import type { Template } from '#domain/templates/template.ts'
import { createHttp, type Http } from '#services/rental-api/http.ts'
import { TemplateWriter } from '#services/templates/template-writer.ts'
import { searchAllTemplates } from '#services/rental-api/templates.ts'
import { openTemplateDrafts, type TemplateDrafts } from '#services/templates/template-drafts.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { contentWith } from '../../support/template-arbitrary.ts'

/** A fresh account at the service, and the writer of templates with its drafts on a disk of its own. */
export interface TemplateScene {
  /** What the writer speaks through: a test may stand in between. */
  http: Http
  readonly userId: number
  readonly folder: string
  /** What is kept out of the log now. */
  readonly hidden: ReadonlySet<string>
  drafts: TemplateDrafts
  writer: TemplateWriter
  hashes: TemplateHashes
  /** As at the next start of Slipway: everything in memory is gone. */
  readonly reopen: () => Promise<void>
  /** The account's own templates, as the service has them. */
  readonly mine: () => Promise<readonly Template[]>
  /** The bodies that the service got so far, of any account. */
  readonly sent: (method: string) => readonly unknown[]
  /** A template of the account. */
  readonly made: (content?: Partial<TemplateContent>) => Promise<Template>
  readonly end: () => Promise<void>
}

let lastId = 0

export function uuid(): string {
  lastId += 1
  return `00000000-0000-4000-8000-${String(lastId).padStart(12, '0')}`
}

export const newDraft = (content: TemplateContent): TemplateDraft => ({
  id: uuid(),
  origin: { kind: 'new' },
  form: formOf(content),
})

export const editOf = (base: Template, change: Partial<TemplateContent>): TemplateDraft => ({
  id: uuid(),
  origin: { kind: 'edit', base },
  form: formOf({ ...contentOf(base), ...change }),
})

/** Real time, in which waiting takes none. */
function hastyClock() {
  let passedMs = 0
  return {
    now: () => Date.now() + passedMs,
    sleep: async (ms: number, signal?: AbortSignal) => {
      // The deadline of a request is not to come at once.
      if (signal) await new Promise(() => undefined)
      passedMs += ms
    },
  }
}

export async function templateScene(service: Simulator): Promise<TemplateScene> {
  const key = await freshKey(service)
  const serviceAddress = service.baseUrl
  const http = createHttp({
    fetch: globalThis.fetch,
    clock: hastyClock(),
    random: () => 0,
    credentials: () => Promise.resolve({ serviceAddress, bearer: key }),
  })
  const userId = await userOf(service, key)
  const hidden = new Set<string>()
  const folder = await mkdtemp(join(tmpdir(), 'template-scene-'))

  async function open(): Promise<Pick<TemplateScene, 'drafts' | 'writer'>> {
    const clock = hastyClock()
    const drafts = await openTemplateDrafts({
      path: join(folder, 'template-drafts.json'),
      clock,
      onNotice: ({ detail }) => expect.unreachable(detail),
      hide: (secret) => {
        hidden.add(secret)
        return () => hidden.delete(secret)
      },
    })
    const writer = new TemplateWriter({
      // A test may put another one in its place.
      http: { send: (request) => scene.http.send(request) },
      userId: () => Promise.resolve(userId),
      drafts,
      follow: async (from, to) => {
        scene.hashes = withNewHash(scene.hashes, from, to)
      },
      clock,
      randomId: uuid,
      log: memoryLog(),
    })
    return { drafts, writer }
  }

  const scene: TemplateScene = {
    http,
    userId,
    folder,
    hidden,
    ...(await open()),
    hashes: {},
    reopen: async () => {
      Object.assign(scene, await open())
    },
    mine: () => searchAllTemplates(http, { creator_id: { eq: userId } }),
    sent: (method) =>
      service
        .journal()
        .filter((entry) => entry.path === '/api/v0/template/' && entry.method === method)
        .map(({ body }) => body),
    made: async (content = {}) => {
      const result = await scene.writer.save(newDraft(contentWith({ name: `Mine ${uuid()}`, ...content })))
      if (result.kind !== 'saved') throw new Error(result.kind)
      return result.template
    },
    end: () => rm(folder, { recursive: true, force: true }),
  }
  return scene
}

async function freshKey({ baseUrl }: Simulator): Promise<string> {
  const reply = await fetch(`${baseUrl}/_simulator/account`, {
    method: 'POST',
    body: JSON.stringify({ name: 'default' }),
  })
  const { key } = (await reply.json()) as { key: string }
  return key
}

async function userOf({ baseUrl }: Simulator, key: string): Promise<number> {
  const reply = await fetch(`${baseUrl}/api/v0/users/current/`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { id } = (await reply.json()) as { id: number }
  return id
}

/** It fails as the service's callers are told. */
export async function expectProblem(work: Promise<unknown>, problem: object): Promise<void> {
  await expect(work).rejects.toMatchObject({ problem })
}
