import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fromParts } from '#contract/parts.ts'
import { wholeLists } from '#contract/instances-changes.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { firstOf } from '../accounts/program.ts'
import { type Client, startMain } from './main-program.ts'
import { rentRequestFor } from './requests.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Runs until it is killed, which takes a few seconds of the clock. */
const stubborn = `trap '' TERM HUP; echo up; while :; do sleep 1; done`

/** Answers whether the host's key is to be trusted, until the instance's command runs. */
async function untilItRuns(client: Client, instanceId: number): Promise<void> {
  const { id } = await client.runs.start({ instanceIds: [instanceId], command: stubborn })
  const state = await firstOf(client.ssh.connections.watch, (all) => all[0]?.state.kind === 'unknown-host')
  const [connection] = state
  if (connection?.state.kind !== 'unknown-host') throw new Error('no question')
  const { fingerprint } = connection.state.offered
  await client.ssh.connections.answerHostKey({ instanceId, trust: true, fingerprint })
  await expect.poll(() => client.runs.text({ id, instanceId })).toContain('up')
}

test('a rule that falls due just after signing out neither acts nor says that it does, while a command is being ended', async () => {
  const folder = await temporaryFolder()
  const { privateKey, publicKey } = makeEd25519KeyPair('test')
  const keyFile = join(folder, 'id_test')
  await writeFile(keyFile, privateKey, { mode: 0o600 })
  const service = await startSimulator({ offers: 50, bootSeconds: [0, 0], sshKey: publicKey.line })
  onTestFinished(() => service.close())
  const clock = new FakeClock()
  const shown: string[] = []
  const main = await startMain({
    userData: join(folder, 'data'),
    keychain: fakeBackend(),
    clock,
    notifications:
      () =>
      ({ title }) =>
        void shown.push(title),
  })
  onTestFinished(() => main.app.dispose())
  const { client } = await main.connect({ baseUrl: service.baseUrl, key: service.key })
  await client.settings.update({ sshUser: service.sshUser })
  await client.ssh.keys.addIdentityFile({ path: keyFile })
  const { records: offers } = await fromParts(await client.offers.search(defaultOfferQuery))
  const rented = await client.renting.rent(rentRequestFor(Number(offers[0]?.id)))
  if (rented.kind !== 'rented') throw new Error(rented.kind)
  const { instanceId } = rented
  const status = async () => {
    await client.instances.refresh()
    const { instances } = await firstOf(wholeLists(client.instances.watch))
    return instances?.[0]?.status
  }
  await expect.poll(status).toBe('running')
  await untilItRuns(client, instanceId)
  const dueAt = clock.now() + 1_000
  await client.guards.set({
    instanceId,
    action: 'stop',
    condition: { kind: 'at', at: dueAt },
    place: 'slipway',
  })

  const leaving = client.accounts.signOut()
  await firstOf(client.accounts.key.watch, ({ kind }) => kind === 'none')
  expect(main.app.accountPages.value.front, 'its work is still being ended').not.toBeNull()
  shown.length = 0
  await clock.advance(1_500)
  await client.instances.refresh()
  let isOver = false
  void leaving.then(() => (isOver = true))
  const ended = async () => {
    await clock.advance(250)
    return isOver
  }
  await expect.poll(ended, { interval: 0 }).toBe(true)
  expect(shown).toEqual([])
  expect(service.journal().filter(({ method }) => ['PUT', 'DELETE'].includes(method))).toHaveLength(1)
})
