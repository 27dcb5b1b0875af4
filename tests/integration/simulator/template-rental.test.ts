import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { rent, show } from './caller.ts'
import { createSshClient, type SshClient } from './ssh-client.ts'
import { createTemplate, newAccount } from './template-caller.ts'

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
  env: `-e KEPT=template -e "SHARED=of the 'template'"`,
  onstart: 'echo "template $SHARED" > made',
}

it.each([
  ['ubuntu', {}, 'ubuntu:latest'],
  ['ubuntu:24.04', { tag: '22.04' }, 'ubuntu:24.04'],
  ['ubuntu@sha256:abc', {}, 'ubuntu@sha256:abc'],
])('makes of a template with %s and %j the image %s', async (image, fields, expected) => {
  const { hash_id: hashId } = await createTemplate(simulator, { image, ...fields })
  expect(await show(simulator, (await rentWith(hashId)).id)).toMatchObject({ image_uuid: expected })
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

const rentWith = (hashId: string): ReturnType<typeof rent> =>
  rent(simulator, { image: undefined, disk: undefined, template_hash_id: hashId })
