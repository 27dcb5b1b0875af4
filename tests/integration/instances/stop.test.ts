import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { wholeLists } from '#contract/instances-changes.ts'
import { outlookOf } from '#domain/instances/instance-status.ts'
import type { ListedInstance } from '#domain/instances/listed-instance.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { firstOf } from '../accounts/program.ts'
import { startMain } from '../whole/main-program.ts'

// Which status a stop leads to, the API leaves open (service API 3.1): here it's one that otherwise tells of a crash.

async function setUp() {
  const service = await startSimulator({ offers: 5, instances: 2 })
  onTestFinished(() => service.close())
  const userData = await temporaryFolder()
  // Written by the first reply, for which nobody waits: not while the folder goes.
  onTestFinished(() => waitFor(() => access(join(userData, 'clock.json'))))
  const keychain = fakeBackend()
  const told: string[] = []
  const tell = ({ title }: { readonly title: string }): void => {
    if (!title.startsWith('Credit')) told.push(title)
  }
  const start = async () => {
    const main = await startMain({
      userData,
      keychain,
      notifications: () => tell,
    })
    onTestFinished(() => main.app.dispose())
    return main
  }
  const main = await start()
  const page = await main.connect(service)
  return { service, main, start, told, client: page.client }
}

type Client = Awaited<ReturnType<typeof setUp>>['client']

async function instancesOf(
  { instances }: Client,
  isMeant: (all: readonly ListedInstance[]) => boolean = () => true,
): Promise<readonly ListedInstance[]> {
  const list = await firstOf(
    wholeLists(instances.watch),
    (one) => one.instances !== null && !one.isRemembered && isMeant(one.instances),
  )
  return list.instances ?? []
}
const hasExited = (all: readonly ListedInstance[]): boolean => all.some(({ status }) => status === 'exited')
const concernsOf = async ({ accounts }: Client) => (await firstOf(accounts.watch)).accounts[0]?.concerns

test.each([true, false])(
  'a stop that ends as exited is a stop, in this run and the next (listed as stopped: %s)',
  async (listsState) => {
    const { service, client, main, start, told } = await setUp()
    const [first, second] = await instancesOf(client)
    if (first === undefined || second === undefined) throw new Error('There are two')
    service.instances.planNextStop({ actualStatus: 'exited', listsState })
    await client.instances.stop({ id: first.id })
    const kindsOf = async (of: Client) => (await instancesOf(of, hasExited)).map((one) => outlookOf(one).kind)
    expect(await kindsOf(client)).toEqual(['stopped', 'ready'])
    expect(await concernsOf(client)).not.toContain('decision')

    await main.app.dispose()
    const again = (await start()).window().client
    expect(await kindsOf(again)).toEqual(['stopped', 'ready'])
    expect(await concernsOf(again)).not.toContain('decision')
    expect(told).toEqual([])

    // The same status without a stop is a crash.
    await service.instances.setFate(second.id, 'exited')
    await again.instances.refresh()
    await expect.poll(() => told).toEqual([`Instance ${second.id} ended: its container exited`])
    expect(await concernsOf(again)).toContain('decision')
  },
)
