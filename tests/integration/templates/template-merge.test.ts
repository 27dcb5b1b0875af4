import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type EnvItem, envOfItems, writeEnvFlags } from '#domain/renting/env-flags.ts'
import type { RentBody } from '#domain/renting/rent-body.ts'
import type { RentOptions } from '#domain/renting/rent-request.ts'
import { effectiveRequest } from '#domain/templates/template-merge.ts'
import { createBody } from '#services/renting/create-body.ts'
import { createHttp, type Http } from '#services/rental-api/http.ts'
import { createInstance, destroyInstance, fetchInstance } from '#services/rental-api/instances.ts'
import { searchOffers } from '#services/rental-api/offers.ts'
import { searchTemplates } from '#services/rental-api/templates.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'

let service: Simulator
let http: Http
let offerId: number
beforeAll(async () => {
  // Nothing is to come up: what counts is what the service says an instance is made from.
  service = await startSimulator({ offers: 5, bootSeconds: [10_000, 10_000] })
  http = createHttp({
    fetch: globalThis.fetch,
    clock: systemClock,
    random: () => 0,
    credentials: () => Promise.resolve({ serviceAddress: service.baseUrl, bearer: service.key }),
  })
  const query = { filters: { rentable: { eq: true } }, order: [], type: 'on-demand', limit: 1 }
  const {
    records: [offer],
  } = await searchOffers(http, query)
  offerId = offer?.id ?? 0
})
afterAll(() => service.close())

const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !value.includes('\0'))
const name = fc.constantFrom('A', 'B_2', 'PATH_TO', 'lower', 'X.Y')
const port = fc.integer({ min: 1, max: 65_000 })
const item: fc.Arbitrary<EnvItem> = fc.oneof(
  fc.record({ kind: fc.constant('variable' as const), name, value: text }),
  fc.record({
    kind: fc.constant('ports' as const),
    host: fc.oneof(fc.constantFrom(80, 8080), port),
    container: fc.oneof(fc.constantFrom(80, 8080), port),
    count: fc.integer({ min: 1, max: 5 }),
    protocol: fc.constantFrom('tcp' as const, 'udp' as const, null),
  }),
)
const items = fc.array(item, { maxLength: 6 })

/** As people write flags: with single or double quotes, and lines that go on. */
const flags = fc
  .array(
    fc.oneof(
      item.map((one) => writeEnvFlags([one])),
      fc
        .tuple(name, text)
        .map(
          ([key, value]) => `--env "${key}=${value.replaceAll(/[\\"$`]/g, (character) => `\\${character}`)}"`,
        ),
    ),
    { maxLength: 6 },
  )
  .chain((written) => fc.constantFrom(' ', '  ', ' \\\n ').map((between) => written.join(between)))

const script = fc.oneof(
  fc.constantFrom('', 'echo ready\n', '#!/bin/bash\nset -e\n', 'echo again\n'.repeat(1000)),
  text,
)
const extraFilters = fc.dictionary(
  fc.constantFrom('gpu_ram', 'num_gpus', 'cuda_max_good'),
  fc.record({ gte: fc.integer({ min: 0, max: 100 }) }),
)
const diskGb = fc.integer({ min: 1, max: 2000 })

const templateFields = fc.record(
  {
    image: fc.constantFrom('ubuntu', 'ubuntu:24.04', 'registry.example:5000/team/image', 'a/b@sha256:0f'),
    tag: fc.constantFrom('24.04', 'nightly'),
    env: flags,
    // What is longer than the service's limit is refused unless the request brings a script of its own.
    onstart: script.filter((value) => value.length < 4000),
    runtype: fc.constantFrom('ssh', 'jupyter', 'args'),
    recommended_disk_space: diskGb,
    extra_filters: extraFilters,
    volume_info: fc.constantFrom(null, { mount_path: '/hint', size: 5 }),
  },
  { requiredKeys: ['image'] },
)

const options = fc.record({
  image: fc.constantFrom(null, 'pytorch/pytorch', 'pytorch/pytorch:2.9'),
  diskGb,
  env: items.map(envOfItems),
  onstart: fc.oneof(fc.constant(null), script),
  volume: fc.constantFrom(
    null,
    { kind: 'link' as const, volumeId: 5, mountPath: '/data' },
    { kind: 'create' as const, volumeOfferId: 6, sizeGb: 10, mountPath: '/new' },
  ),
  extraFilters: fc.oneof(fc.constant({}), extraFilters),
  addSshKey: fc.boolean(),
}) satisfies fc.Arbitrary<Omit<RentOptions, 'templateHashId'>>

/** What a request of any client may leave out or add. */
const further = fc.record({
  omitsDisk: fc.boolean(),
  extraFilters: fc.oneof(fc.constant(null), extraFilters),
})

const key = { line: 'ssh-ed25519 AAAA slipway', algorithm: 'ssh-ed25519', fingerprint: 'SHA256:x' }
const compress = (plain: string): string => gzipSync(plain).toString('base64')

test('the preview of a rental is what the service makes of it', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(templateFields, options, further, async (fields, asked, { omitsDisk, extraFilters }) => {
      const {
        records: [template],
      } = await searchTemplates(http, { hash_id: { eq: await store(fields) } })
      if (template === undefined) throw new Error('the template is not found')
      const { disk, ...rest } = createBody({ ...asked, templateHashId: template.hash_id }, key, compress)
      const body: RentBody = {
        ...rest,
        ...(!omitsDisk && disk !== undefined && { disk }),
        ...(extraFilters && { extra_filters: extraFilters }),
      }
      const effective = effectiveRequest(template, body)
      const { instanceId } = await createInstance(http, offerId, body)
      const made = instanceShape.parse(await fetchInstance(http, instanceId))
      await destroyInstance(http, instanceId)
      expect(effective.unread).toEqual([])
      expect({
        image_uuid: effective.image?.value,
        disk_space: effective.diskGb.value,
        onstart: effective.onstart?.value ?? '',
        extra_env: Object.fromEntries(effective.env.map(({ name: variable, value }) => [variable, value])),
        extra_filters: Object.fromEntries(
          effective.extraFilters.map(({ name: field, value }) => [field, value]),
        ),
        volume_info: effective.volume === null ? [] : [effective.volume.value],
        template_hash_id: template.hash_id,
      }).toEqual(made)
    }),
    { numRuns: 100 },
  )
})

const instanceShape = z
  .object({
    image_uuid: z.string(),
    disk_space: z.number(),
    onstart: z.string(),
    extra_env: z.array(z.tuple([z.string(), z.string()])),
    extra_filters: z.record(z.string(), z.unknown()),
    volume_info: z.array(z.unknown()),
    template_hash_id: z.string(),
  })
  .transform((made) => ({ ...made, extra_env: Object.fromEntries(made.extra_env) }))

/** Makes a template as a person would elsewhere. @returns its hash id */
async function store(fields: object): Promise<string> {
  const login = { docker_login_repo: '', docker_login_user: '', docker_login_pass: '' }
  const reply = await fetch(`${service.baseUrl}/api/v0/template/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}` },
    body: JSON.stringify({ name: 'Generated', ...login, ...fields }),
  })
  const answer: unknown = await reply.json()
  return z.object({ template: z.object({ hash_id: z.string() }) }).parse(answer).template.hash_id
}
