import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { wholeLists } from '#contract/instances-changes.ts'
import type { GuardsSnapshot } from '#domain/guards/guard.ts'
import type { PreferencesChange } from '#domain/settings/settings.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { copyFolder } from '../../support/copy-folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { search } from '../simulator/caller.ts'
import { firstOf } from '../accounts/program.ts'
import { startMain, type Client } from '../whole/main-program.ts'
import { rentRequestFor } from '../whole/requests.ts'

/** An instance that runs, and main without Electron beside it, which trusts its host key. */
export async function guardedInstance(preferences: PreferencesChange = {}) {
  const service = await startSimulator({ offers: 50, bootSeconds: [0, 0] })
  onTestFinished(() => service.close())
  const userData = join(await temporaryFolder(), 'data')
  const keychain = fakeBackend()
  const start = async () => {
    const main = await startMain({ userData, keychain })
    onTestFinished(() => main.app.dispose())
    return main
  }
  const main = await start()
  const { client } = await main.connect(service)
  await client.settings.update({ ...preferences, sshUser: service.sshUser })
  await client.ssh.keys.create()
  const [offer] = await search(service, { rentable: { eq: true }, limit: 1 })
  const { options, ...request } = rentRequestFor(Number(offer?.id))
  const rented = await client.renting.rent({ ...request, options: { ...options, addSshKey: true } })
  if (rented.kind !== 'rented') throw new Error(rented.kind)
  const { instanceId } = rented
  await waitFor(async () => expect(await statusOf(client, instanceId)).toBe('running'))
  return {
    ...{ service, main, client, instanceId, start, userData },
    /** Another computer of the same user, with all that this one has so far. */
    startElsewhere: async () => {
      const elsewhere = { userData: join(await temporaryFolder(), 'data'), keychain: fakeBackend() }
      await copyFolder(userData, elsewhere.userData)
      for (const [name, value] of keychain.entries) elsewhere.keychain.entries.set(name, value)
      const other = await startMain(elsewhere)
      onTestFinished(() => other.app.dispose())
      return other
    },
  }
}

/** Its status, as the list of now has it; undefined when it isn't listed. */
export async function statusOf(client: Client, instanceId: number) {
  await client.instances.refresh()
  const { instances } = await firstOf(wholeLists(client.instances.watch))
  return instances?.find(({ id }) => id === instanceId)?.status
}

/** Says yes when it is asked about the host key of an instance. */
export async function trustHost(client: Client, instanceId: number): Promise<void> {
  const all = await firstOf(client.ssh.connections.watch, (some) =>
    some.some(({ state }) => state.kind === 'unknown-host'),
  )
  const state = all.find((one) => one.instanceId === instanceId)?.state
  if (state?.kind !== 'unknown-host') throw new Error('no question')
  const { fingerprint } = state.offered
  await client.ssh.connections.answerHostKey({ instanceId, trust: true, fingerprint })
}

/** The guards when they are as they should be. */
export function guardsWhen(
  client: Client,
  isSo: (snapshot: GuardsSnapshot) => boolean,
): Promise<GuardsSnapshot> {
  return firstOf(client.guards.watch, isSo)
}
