import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Latest } from '../../domain/base/latest.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { InstancesList } from '../../domain/instances/listed-instance.ts'
import { machineNotification, type Notification } from '../../domain/notifications/notification.ts'
import type { Folder } from '../storage/folder.ts'
import { openPerInstanceFile } from '../storage/per-instance-file.ts'
import { MachineChecks, type MachineChecksOptions } from './machine-checks.ts'
import { SpeedTests } from './speed-tests.ts'
import { machineNotesFile, MachineNotesStore } from './machine-notes.ts'

export interface MachineChecksDependencies extends Omit<
  MachineChecksOptions,
  'script' | 'notes' | 'onDifference'
> {
  readonly file: Folder['file']
  readonly list: Latest<InstancesList>
  readonly notify: (notification: Notification) => void
  /** The folder of the scripts that run on instances. */
  readonly machineScripts: string
}

/**
 * Whether the account's instances have what was offered, and how fast they are.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openMachineChecks(from: MachineChecksDependencies, lifetime: Lifetime) {
  const file = await openPerInstanceFile({ ...from.file('machine-notes.json'), ...machineNotesFile })
  const notes = new MachineNotesStore({ ...from, file })
  const scriptText = (name: string): Promise<string> => readFile(join(from.machineScripts, name), 'utf8')
  const checks = new MachineChecks({
    ...from,
    notes,
    script: () => scriptText('figures.sh'),
    onDifference: (instanceId, what) => from.notify(machineNotification(instanceId, what)),
  })
  lifetime.follow((signal) => checks.follow(signal))
  const speedTests = new SpeedTests({ ...from, notes, diskScript: () => scriptText('disk-speed.sh') })
  for (const one of [checks, speedTests]) lifetime.onEnd(() => one.dispose())
  return { checks, speedTests }
}
