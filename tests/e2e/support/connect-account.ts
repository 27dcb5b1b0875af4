import { z } from 'zod'
import { development } from '../../../src-main/desktop/app-identity.ts'
import { loadKeytar } from '#services/vault/keychain/keytar-backend.ts'
import { startMain } from '../../integration/whole/main-program.ts'
import { rentRequestFor } from '../../integration/whole/requests.ts'
import { search } from '../../integration/simulator/caller.ts'

// A program: main without Electron connects an account in the data folder and the keychain of an app that isn't running,
// makes an SSH key, and rents instances with it. Never in the process that starts the keyring: the D-Bus library ends
// a process whose bus has gone.

const { userData, baseUrl, key, rentals } = z
  .object({ userData: z.string(), baseUrl: z.url(), key: z.string(), rentals: z.int() })
  .parse(JSON.parse(process.argv[2] ?? ''))

const { app, connect } = await startMain({ userData, keychain: await loadKeytar(development.name) })
const { client, close } = await connect({ baseUrl, key })
await client.ssh.keys.create()
const cheapest = { rentable: { eq: true }, order: [['dph_total', 'asc']], limit: rentals }
const offers = rentals > 0 ? await search({ baseUrl, key }, cheapest) : []
for (const { id } of offers) {
  const { options, ...request } = rentRequestFor(id)
  await client.renting.rent({ ...request, options: { ...options, addSshKey: true } })
}
close()
await app.dispose()
