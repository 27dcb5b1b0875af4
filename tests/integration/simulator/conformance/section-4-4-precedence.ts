import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Simulator } from '../../../simulator/simulator.ts'
import { rent, show } from '../caller.ts'
import { createTemplate } from '../template-caller.ts'
import { ask, askPath, expectRefusal, freeOffer, instancePath, tenantOf } from './asking.ts'
import type { Row } from './row.ts'

const CONTENT = {
  name: 'Precedence',
  image: 'team/image',
  tag: 'v1',
  env: `-e KEPT=template -e "SHARED=template's" -p 80:80`,
  onstart: 'echo "$KEPT $SHARED $ADDED" > seen',
  extra_filters: { gpu_ram: { gte: 1 }, cuda_max_good: { gte: 12 } },
  recommended_disk_space: 33,
  volume_info: { mount_path: '/hint' },
}

/** The record of an instance made from this template and this request, and what its start script saw. */
async function made(
  simulator: Simulator,
  request: object,
  content: object = CONTENT,
): Promise<{ record: Readonly<Record<string, unknown>>; seen: string }> {
  const tenant = tenantOf(simulator)
  const { hash_id: hash } = await createTemplate(tenant, content)
  const order = { image: undefined, disk: undefined, template_hash_id: hash, ...request }
  const { id } = await rent(tenant, order)
  await simulator.clock.advance(120)
  const record = await show(tenant, id)
  const file = join(simulator.instances.homeOf(id) ?? '', 'seen')
  const seen = await readFile(file, 'utf8')
  await ask(tenant, 'DELETE', instancePath(id))
  return { record, seen }
}

export const precedenceRows: readonly Row[] = [
  {
    section: '4.4',
    says: 'required unless a template supplies it',
    async check(simulator) {
      expect((await made(simulator, {})).record).toMatchObject({ image_uuid: 'team/image:v1' })
      await expectRefusal(simulator, ['PUT', askPath(1), { disk: 10 }], [400, 'body.image: required'])
    },
  },
  {
    section: '4.4',
    says: '(a numeric template id is not accepted here)',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const { id } = await createTemplate(tenant, CONTENT)
      const path = askPath(await freeOffer(tenant))
      await expectRefusal(tenant, ['PUT', path, { template_hash_id: id }], [400, 'body.template_hash_id'])
      const text = { template_hash_id: String(id) }
      await expectRefusal(tenant, ['PUT', path, text], [404, 'a numeric id is not accepted here'])
    },
  },
  {
    section: '4.4',
    says: 'Precedence when a template and request fields are both given:',
    async check(simulator) {
      const { record } = await made(simulator, {})
      expect(record).toMatchObject({ disk_space: 33, onstart: CONTENT.onstart, template_name: 'Precedence' })
    },
  },
  {
    section: '4.4',
    says: "Scalar fields in the request override the template's values.",
    async check(simulator) {
      const request = { image: 'ubuntu:24.04', disk: 12, onstart: 'echo mine > seen' }
      const { record, seen } = await made(simulator, request)
      expect(record).toMatchObject({
        image_uuid: 'ubuntu:24.04',
        disk_space: 12,
        onstart: 'echo mine > seen',
      })
      expect(seen).toBe('mine\n')
      // One of them overrides its own value only.
      expect((await made(simulator, { disk: 12 })).record).toMatchObject({ image_uuid: 'team/image:v1' })
    },
  },
  {
    section: '4.4',
    says: '`env` is merged: template entries are kept, request entries are added',
    async check(simulator) {
      const { record, seen } = await made(simulator, {
        env: { SHARED: 'request', ADDED: 'new', '-p 80:80': '1', '-p 81:81': '1' },
      })
      expect(record['extra_env']).toEqual([
        ['KEPT', 'template'],
        ['SHARED', 'request'],
        ['-p 80:80', '1'],
        ['ADDED', 'new'],
        ['-p 81:81', '1'],
      ])
      expect(seen).toBe('template request new\n')
    },
  },
  {
    section: '4.4',
    says: 'The template stores `env` as a flag string; the service converts it when merging.',
    async check(simulator) {
      const env = `-e 'A=b c' --env D="e \\"f\\"" -p 10-11:20-21/udp -e G=`
      const { record } = await made(simulator, {}, { ...CONTENT, env })
      expect(record['extra_env']).toEqual([
        ['A', 'b c'],
        ['D', 'e "f"'],
        ['-p 10:20/udp', '1'],
        ['-p 11:21/udp', '1'],
        ['G', ''],
      ])
    },
  },
  {
    section: '4.4',
    says: '`extra_filters` is merged by key; request values win.',
    async check(simulator) {
      const { record } = await made(simulator, { extra_filters: { gpu_ram: { lt: 9 }, num_gpus: { eq: 1 } } })
      expect(record['extra_filters']).toEqual({
        gpu_ram: { lt: 9 },
        cuda_max_good: { gte: 12 },
        num_gpus: { eq: 1 },
      })
    },
  },
  {
    section: '2.2',
    says: 'hint for the UI only; has no effect on instance creation',
    async check(simulator) {
      expect((await made(simulator, {})).record['volume_info']).toEqual([])
    },
  },
  {
    section: '2.2',
    says: 'shell commands run when the instance starts',
    async check(simulator) {
      expect((await made(simulator, {})).seen).toBe("template template's \n")
    },
  },
  {
    section: '4.4',
    says: 'must be given here to attach a volume',
    async check(simulator) {
      const volume = { create_new: false, volume_id: 3, mount_path: '/data' }
      expect((await made(simulator, { volume_info: volume })).record['volume_info']).toEqual([volume])
    },
  },
]
