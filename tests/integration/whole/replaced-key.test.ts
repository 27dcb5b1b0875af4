import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fromParts } from '#contract/parts.ts'
import { wholeLists } from '#contract/instances-changes.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { firstOf } from '../accounts/program.ts'
import { startMain } from './main-program.ts'
import { rentRequestFor } from './requests.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A rental whose reply is on its way while the account's key is replaced, and the former one revoked. */
async function replaceKeyDuringRental(onReply: () => void) {
  const userData = await temporaryFolder()
  const service = await startSimulator({ offers: 50 })
  onTestFinished(() => service.close())
  const rented = Promise.withResolvers<undefined>()
  const replaced = Promise.withResolvers<undefined>()
  const keychain = fakeBackend()
  const main = await startMain({
    userData,
    keychain,
    fetch: async (input, init) => {
      const reply = await fetch(input, init)
      if (init?.method !== 'PUT') return reply
      rented.resolve(undefined)
      await replaced.promise
      onReply()
      return reply
    },
  })
  onTestFinished(() => main.app.dispose())
  const { client } = await main.connect({ baseUrl: service.baseUrl, key: service.key })
  const { records: offers } = await fromParts(await client.offers.search(defaultOfferQuery))
  const renting = client.renting.rent({ ...rentRequestFor(Number(offers[0]?.id)), keepInstanceKey: true })
  await rented.promise
  const key = service.keys.create(service.key)
  await client.accounts.key.replace({ apiKey: key, keepIn: 'keychain' })
  service.keys.revoke(service.key)
  replaced.resolve(undefined)
  const { front } = main.app.accountPages.value
  const journal = await readFile(join(userData, 'accounts', front ?? '', 'rentals.jsonl'), 'utf8')
  expect(journal.trim().split('\n'), 'nothing is settled before the reply').toHaveLength(2)
  return { client, service, keychain, result: await renting, key }
}

test('a reply to a rental that comes after the key was replaced counts: instance, its own key, and activity', async () => {
  const { client, service, keychain, result } = await replaceKeyDuringRental(() => undefined)
  if (result.kind !== 'rented') throw new Error(result.kind)
  const { instanceId } = result
  expect(result.instanceKey).not.toBeNull()
  expect([...keychain.entries.keys()]).toContainEqual(expect.stringMatching(/^instance-key\b/))
  const { instances, notices, problem } = await firstOf(wholeLists(client.instances.watch), (list) =>
    Boolean(list.instances?.some(({ id }) => id === instanceId)),
  )
  expect([instances?.length, notices, problem]).toEqual([1, [], null])
  const activity = await firstOf((_, options) => client.instances.activity({ id: instanceId }, options))
  expect(activity.map(({ event }) => event.kind)).toContain('rented')
  expect(service.journal().filter(({ method }) => method === 'PUT')).toHaveLength(1)
})

test('where the reply is lost then, the list tells with the new key, and nothing is rented twice', async () => {
  const { service, result } = await replaceKeyDuringRental(() => {
    throw new TypeError('the connection was reset')
  })
  expect(result).toMatchObject({ kind: 'reply-lost', notice: { outcome: { kind: 'adopted' } } })
  expect(service.journal().filter(({ method }) => method === 'PUT')).toHaveLength(1)
})
