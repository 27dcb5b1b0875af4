import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, rent, search, show } from './caller.ts'
import { containing } from './expectations.ts'
import { createSshClient, type SshClient } from './ssh-client.ts'
import { createTemplate, findTemplates, newAccount } from './template-caller.ts'

let simulator: Simulator
let client: SshClient
beforeAll(async () => {
  simulator = await startSimulator({ offers: 100, bootSeconds: [10, 10] })
  client = await createSshClient(simulator.sshUser)
})
afterAll(async () => {
  await simulator.close()
  await client.dispose()
})

const CONTENT = {
  name: 'Trainer',
  image: 'example.com:5000/team/trainer',
  tag: 'v2',
  env: `-e KEPT=template -e "SHARED=of the 'template'" -p 8000:8000 -p 9000-9001:9000-9001/udp`,
  onstart: 'echo "template $SHARED" > made',
  runtype: 'jupyter',
  extra_filters: { gpu_ram: { gte: 1 }, cuda_max_good: { gte: 12 } },
  recommended_disk_space: 33,
  volume_info: { mount_path: '/hint' },
}

describe('renting with a template alone', () => {
  it('takes everything from it', async () => {
    const { id: templateId, hash_id: hashId } = await createTemplate(simulator, CONTENT)
    const { id } = await rentWith(hashId)
    expect(await show(simulator, id)).toMatchObject({
      image_uuid: 'example.com:5000/team/trainer:v2',
      image_runtype: 'jupyter',
      disk_space: 33,
      onstart: CONTENT.onstart,
      extra_env: [
        ['KEPT', 'template'],
        ['SHARED', "of the 'template'"],
        ['-p 8000:8000', '1'],
        ['-p 9000:9000/udp', '1'],
        ['-p 9001:9001/udp', '1'],
      ],
      extra_filters: CONTENT.extra_filters,
      template_id: templateId,
      template_hash_id: hashId,
      template_name: 'Trainer',
      volume_info: [],
    })
  })

  it.each([
    ['ubuntu', {}, 'ubuntu:latest'],
    ['ubuntu:24.04', { tag: '22.04' }, 'ubuntu:24.04'],
    ['ubuntu@sha256:abc', {}, 'ubuntu@sha256:abc'],
  ])('makes of %s with %j the image %s', async (image, fields, expected) => {
    const { hash_id: hashId } = await createTemplate(simulator, { image, ...fields })
    expect(await show(simulator, (await rentWith(hashId)).id)).toMatchObject({ image_uuid: expected })
  })

  it('counts the instance, and notes when', async () => {
    const { id: templateId, hash_id: hashId } = await createTemplate(simulator, { name: 'Counted' })
    await rentWith(hashId)
    await rentWith(hashId)
    const [after] = await findTemplates(simulator, { id: { eq: templateId } })
    expect(after).toMatchObject({ count_created: 2, hash_id: hashId })
    expect(Math.abs(Number(after?.['recent_create_date']) - simulator.clock.now() / 1000)).toBeLessThan(60)
  })
})

describe('renting with a template and more', () => {
  it('lets what is in the request win, and merges the rest by key', async () => {
    const { hash_id: hashId } = await createTemplate(simulator, CONTENT)
    const { id } = await rentWith(hashId, {
      image: 'ubuntu:24.04',
      disk: 12,
      onstart: 'true',
      env: { SHARED: 'request', ADDED: 'request', '-p 8000:8000': '1', '-p 22:22': '1' },
      extra_filters: { gpu_ram: { lte: 9 }, num_gpus: { eq: 1 } },
    })
    expect(await show(simulator, id)).toMatchObject({
      image_uuid: 'ubuntu:24.04',
      disk_space: 12,
      onstart: 'true',
      extra_env: [
        ['KEPT', 'template'],
        ['SHARED', 'request'],
        ['-p 8000:8000', '1'],
        ['-p 9000:9000/udp', '1'],
        ['-p 9001:9001/udp', '1'],
        ['ADDED', 'request'],
        ['-p 22:22', '1'],
      ],
      extra_filters: { gpu_ram: { lte: 9 }, cuda_max_good: { gte: 12 }, num_gpus: { eq: 1 } },
    })
  })

  it('gives the merged environment to the start script and to every login', async () => {
    const me = newAccount(simulator, { sshKey: client.publicKey })
    const { hash_id: hashId } = await createTemplate(me, CONTENT)
    const { id } = await rent(me, { image: undefined, template_hash_id: hashId, env: { ADDED: 'a b' } })
    await simulator.clock.advance(20)
    const { ssh_port: port } = await show(me, id)
    const { stdout } = await client.ssh(port, 'echo "$KEPT|$SHARED|$ADDED"')
    expect(stdout).toBe("template|of the 'template'|a b\n")
    const made = await readFile(join(simulator.instances.homeOf(id) ?? '', 'made'), 'utf8')
    expect(made).toBe("template of the 'template'\n")
  })
})

describe('a template that cannot be used', () => {
  it.each([
    ['unknown', () => 'f'.repeat(32), 404, 'f'.repeat(32)],
    ['named by its numeric id', (id: number) => String(id), 404, 'a numeric id is not accepted'],
    ['named by its numeric id as a number', (id: number) => id, 400, 'body.template_hash_id: '],
  ])('is refused: %s', async (_what, name, status, reason) => {
    const { id } = await createTemplate(simulator)
    const [offer] = await search(simulator, { rentable: { eq: true }, limit: 1 })
    const body = { template_hash_id: name(id) }
    expect(await call(simulator, 'PUT', `/api/v0/asks/${String(offer?.id)}/`, { body })).toMatchObject({
      status,
      body: { msg: containing(reason) },
    })
  })

  it("is refused: another account's private one, and one with a start script that is too long", async () => {
    const [offer] = await search(simulator, { rentable: { eq: true }, limit: 1 })
    const path = `/api/v0/asks/${String(offer?.id)}/`
    const hidden = await createTemplate(newAccount(simulator), { private: true, name: 'Hidden' })
    expect((await call(simulator, 'PUT', path, { body: { template_hash_id: hidden.hash_id } })).status).toBe(
      404,
    )
    const long = await createTemplate(simulator, { onstart: 'x'.repeat(4049) })
    expect(await call(simulator, 'PUT', path, { body: { template_hash_id: long.hash_id } })).toMatchObject({
      status: 400,
      body: { msg: containing("the template's onstart is longer than 4048") },
    })
  })
})

const rentWith = (hashId: string, order: object = {}): ReturnType<typeof rent> =>
  rent(simulator, { image: undefined, disk: undefined, template_hash_id: hashId, ...order })
