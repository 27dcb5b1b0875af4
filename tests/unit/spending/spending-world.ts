import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { AccountState } from '#domain/accounts/account.ts'
import { Latest } from '#domain/base/latest.ts'
import { Lifetime } from '#domain/base/lifetime.ts'
import type { InstanceRecord } from '#domain/instances/instance.ts'
import { InstanceWatch } from '#services/instances/watch.ts'
import { openSpending } from '#services/spending/open-spending.ts'
import { openFolder } from '#services/storage/folder.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { wholeList } from '../../support/whole-list.ts'

const connected: AccountState = {
  ...{ kind: 'connected', keyId: 'a', serviceAddress: 'https://rent.example', userId: 2 },
  ...{ keyMask: '••••', keyKeptIn: 'keychain', bearer: 'api-key', checkedAt: 1, problem: null },
  user: { id: 2, credit: 50 },
}

/** One machine at $2/h, and a ledger on a real disk, from 2026-01-01 00:00 UTC on. `run()` again is a restart. */
export async function spendingWorld() {
  const folder = join(await temporaryFolder(), 'account')
  const clock = new FakeClock()
  const machine: InstanceRecord = {
    ...{ id: 1, actual_status: 'running', dph_total: 2, storage_total_cost: 0.1 },
    ...{ gpu_name: 'H100', num_gpus: 2, label: 'train', start_date: clock.now() / 1000 },
  }
  const instances = [machine]
  const told: string[] = []
  const saved: { path: string | null } = { path: join(folder, 'export.csv') }
  async function run() {
    const log = memoryLog()
    const lifetime = new Lifetime()
    const watch = new InstanceWatch({
      list: async () => wholeList(instances.map((one) => ({ ...one }))),
      ...{ clock, random: () => 0, log },
    })
    const opened = openFolder({ path: folder, clock, log })
    const spending = await openSpending(
      {
        ...{ folder: opened, file: opened.file, clock, log },
        watch,
        labelOf: (id) => String(instances.find((one) => one.id === id)?.['label']),
        account: new Latest(connected),
        notify: ({ title }) => void told.push(title),
        chooseFile: async () => saved.path,
      },
      lifetime,
    )
    lifetime.start()
    watch.start()
    await settle()
    const totalOf = async (month: string) => {
      for await (const { total } of spending.watchMonth(month)) return total
      throw new Error('The watch ended')
    }
    /** As SIGKILL does: nothing more is asked for or written. */
    const kill = (): void => watch.stop()
    const quit = async (): Promise<void> => {
      watch.stop()
      await lifetime.end()
    }
    onTestFinished(quit)
    return { spending, totalOf, kill, quit, log, notices: opened.notices }
  }
  return { folder, clock, machine, instances, told, saved, run }
}
