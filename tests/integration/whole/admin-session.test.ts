import { expect, onTestFinished, test } from 'vitest'
import { fromParts } from '#contract/parts.ts'
import { wholeLists } from '#contract/instances-changes.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { firstOf } from '../accounts/program.ts'
import { createPerson, freshTotp } from '../simulator/two-factor-person.ts'
import { startMain, type Client } from './main-program.ts'
import { rentRequestFor } from './requests.ts'

/** After which the service ends a session. */
const daySeconds = 24 * 60 * 60

/** An admin's account, logged in as admin, with the session chosen for all requests. */
async function setUp() {
  const service = await startSimulator({ offers: 20 })
  onTestFinished(() => service.close())
  const person = createPerson(service, 'admin', { twoFactorMethods: [{ method: 'totp' }] })
  const options = { userData: await temporaryFolder(), keychain: fakeBackend() }
  const main = await startMain(options)
  onTestFinished(() => main.app.dispose())
  const { client } = await main.connect({ baseUrl: service.baseUrl, key: person.key })
  await client.twoFactor.refresh()
  const { flowId } = await client.twoFactor.begin({
    goal: { kind: 'log-in', admin: true },
    keepIn: 'keychain',
  })
  await client.twoFactor.submit({ flowId, code: await freshTotp(service, person) })
  await client.twoFactor.chooseBearer({ bearer: 'admin-session' })
  // The choice has the list asked for, too.
  await client.instances.refresh()
  /** Requests to paths that end so, each with what it went by and its reply. */
  const during = async (path: string, work: () => Promise<unknown>): Promise<readonly string[]> => {
    const from = service.journal().length
    await work()
    return service
      .journal()
      .slice(from)
      .filter((entry) => entry.path.includes(path))
      .map(({ method, session, key, status }) => `${nameOf(session, key)} ${method} ${status}`)
  }
  return { service, person, main, client, during, options }
}

const nameOf = (session: string | null, key: string | null) =>
  session !== null ? 'session' : key !== null ? 'key' : 'refused'

const bearerNow = async (client: Client) => {
  const state = await firstOf(client.accounts.key.watch)
  return state.kind === 'connected' ? state.bearer : null
}

test('while it is chosen, requests go by the session, and what is about the API key goes by that', async () => {
  const { service, client, during, options, main } = await setUp()
  expect(await bearerNow(client)).toBe('admin-session')
  expect(await during('/instances/', () => client.instances.refresh())).toEqual(['session GET 200'])
  expect(await during('/bundles/', () => client.offers.search(defaultOfferQuery))).toEqual([
    'session POST 200',
  ])
  expect(await during('/users/current/', () => client.accounts.key.check())).toEqual(['key GET 200'])
  expect(await during('/bundles/', () => client.accounts.key.permissions())).toEqual(['key POST 200'])
  const asked = await during('/instances/', async () => {
    const from = service.journal().length
    await client.twoFactor.chooseBearer({ bearer: 'api-key' })
    await waitFor(() =>
      expect(service.journal().slice(from)).toContainEqual(
        expect.objectContaining({ path: expect.stringContaining('/instances/') }),
      ),
    )
  })
  expect(asked, 'nobody has to ask for the list that the key sees').toEqual(['key GET 200'])

  // Nothing of the choice is on the disk: after a start the session is there, and the key is used.
  await client.twoFactor.chooseBearer({ bearer: 'admin-session' })
  await main.app.dispose()
  const next = await startMain(options)
  onTestFinished(() => next.app.dispose())
  const again = next.window().client
  await again.twoFactor.refresh()
  expect(await firstOf(again.twoFactor.watch)).toMatchObject({ account: { session: { isAdmin: true } } })
  expect(await bearerNow(again)).toBe('api-key')
})

test('a search that the ended session was refused for is made by the API key, which is used from then on', async () => {
  const { service, client, during, options } = await setUp()
  await service.clock.advance(daySeconds)
  expect(await during('/bundles/', () => client.offers.search(defaultOfferQuery))).toEqual([
    'refused POST 401',
    'key POST 200',
  ])
  expect(await bearerNow(client)).toBe('api-key')
  await firstOf(client.twoFactor.watch, ({ account }) => account.kind === 'known' && account.session === null)
  await waitFor(() =>
    expect([...options.keychain.entries.keys()]).not.toContainEqual(expect.stringMatching(/^session\//)),
  )
})

test('a rental that the ended session was refused for is not sent again by itself, and by the API key the next time', async () => {
  const { service, client, during } = await setUp()
  const { records: offers } = await fromParts(await client.offers.search(defaultOfferQuery))
  const rent = () => client.renting.rent(rentRequestFor(Number(offers[0]?.id)))
  await client.instances.refresh()
  service.faults.add({ kind: 'refused', path: '/api/v0/asks/*', status: 403, error: 'auth_error', times: 1 })
  const sent = await during('/asks/', () =>
    expect(rent()).rejects.toMatchObject({ data: { kind: 'session-ended' } }),
  )
  expect(sent).toEqual(['refused PUT 403'])
  expect(await bearerNow(client)).toBe('api-key')
  expect(await during('/asks/', rent)).toEqual(['key PUT 200'])
  const { instances } = await firstOf(
    wholeLists(client.instances.watch),
    (list) => list.instances?.length === 1,
  )
  expect(instances).toHaveLength(1)
})

test('it ends with the key, which is replaced', async () => {
  const { service, person, client, during } = await setUp()
  await client.accounts.key.replace({ apiKey: service.keys.create(person.key), keepIn: 'keychain' })
  expect(await bearerNow(client)).toBe('api-key')
  expect((await during('/instances/', () => client.instances.refresh())).at(-1)).toBe('key GET 200')
})
