import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Lifetime } from '#domain/base/lifetime.ts'
import { openTemplates } from '#services/templates/open-templates.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { editOf, templateScene, uuid, type TemplateScene } from './template-scene.ts'

let service: Simulator
let scene: TemplateScene
beforeAll(async () => {
  service = await startSimulator({ offers: 1 })
  scene = await templateScene(service)
})
afterAll(async () => {
  await scene.end()
  await service.close()
})

test('a search by a hash id from before an edit finds what the template has become, also in the next run', async () => {
  const open = () =>
    openTemplates(
      {
        userId: () => Promise.resolve(scene.userId),
        http: scene.http,
        file: (name) => ({
          path: join(scene.folder, name),
          clock: new FakeClock(),
          onNotice: ({ detail }) => expect.unreachable(detail),
        }),
        clock: new FakeClock(),
        randomId: uuid,
        log: memoryLog(),
        hide: () => () => undefined,
        chooseFile: async () => null,
        onFound: () => undefined,
      },
      new Lifetime(),
    )
  const made = await scene.made({ name: `Followed ${uuid()}` })
  const templates = await open()
  const saved = await templates.save(editOf(made, { desc: 'new' }))
  if (saved.kind !== 'saved') throw new Error(saved.kind)
  expect(saved.template.hash_id).not.toBe(made.hash_id)

  for (const now of [templates, await open()]) {
    // What asks by it may show what it asks for.
    expect(now.follow({ hash_id: { in: [made.hash_id] }, name: { eq: made.hash_id } })).toEqual({
      hash_id: { in: [saved.template.hash_id] },
      name: { eq: made.hash_id },
    })
    const {
      records: [found, ...more],
    } = await now.search({ hash_id: { in: [made.hash_id] } })
    expect(more).toEqual([])
    expect(found).toMatchObject({ id: made.id, hash_id: saved.template.hash_id })
  }
})
