import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSimulator } from '../../simulator/simulator.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { startMain } from '../whole/main-program.ts'
import { definition, isOver, jobWhen, listedIds, makeProject, rental } from './job-scene.ts'

/** A job that rents, while its instance starts, which takes for ever. */
async function jobWhileItRents() {
  const service = await startSimulator({ offers: 50, bootSeconds: [50_000, 50_000] })
  onTestFinished(() => service.close())
  const main = await startMain({ userData: join(await temporaryFolder(), 'data'), keychain: fakeBackend() })
  onTestFinished(() => main.app.dispose())
  const { client } = await main.connect(service)
  await client.settings.update({ sshUser: service.sshUser })
  await client.ssh.keys.create()
  const folder = await makeProject(await temporaryFolder())
  const { id } = await client.jobs.begin({ definition, folder, place: rental })
  await waitFor(async () => expect(await listedIds(client)).toHaveLength(1), { intervalMs: 1_000 })
  const rentals = () =>
    service.journal().filter(({ method, path }) => method === 'PUT' && path.startsWith('/api/v0/asks/'))
  return { client, id, rentals }
}

test('a job that is canceled while its instance starts has that destroyed, and rents nothing more', async () => {
  const { client, id, rentals } = await jobWhileItRents()
  await client.jobs.cancel({ id, instance: 'destroy' })
  await waitFor(async () => expect(await listedIds(client)).toEqual([]), { intervalMs: 1_000 })
  expect((await jobWhen(client, id, isOver)).outcome).toEqual({ kind: 'canceled', instance: 'none' })
  expect(rentals()).toHaveLength(1)
})

test('so has one that is given up, which ends at once', async () => {
  const { client, id, rentals } = await jobWhileItRents()
  await client.jobs.giveUp({ id })
  expect((await jobWhen(client, id, isOver)).outcome).toEqual({ kind: 'given-up', step: 'instance' })
  await waitFor(async () => expect(await listedIds(client)).toEqual([]), { intervalMs: 1_000 })
  expect(rentals()).toHaveLength(1)
})
