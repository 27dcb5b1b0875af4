import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wholeLists } from '#contract/instances-changes.ts'
import type { MachineCheckView } from '#domain/figures/machine-check.ts'
import { firstOf } from '../accounts/program.ts'
import { guardedInstance } from '../guards/guarded-instance.ts'
import type { Client } from '../whole/main-program.ts'

/** Longer than a look at an instance takes, and so that its pause after the login is over. */
export const patience = { timeout: 60_000, interval: 200 }

/** How the check of an instance stands, once it's as it should be. */
export function checkOf(
  client: Client,
  instanceId: number,
  isWanted?: (view: MachineCheckView) => boolean,
): Promise<MachineCheckView> {
  return firstOf((_, options) => client.figures.check.watch({ instanceId }, options), isWanted)
}

/** Of the one instance; undefined before it was wanted. */
export async function connectionKind(client: Client): Promise<string | undefined> {
  return (await firstOf(client.ssh.connections.watch))[0]?.state.kind
}

/** An instance that runs, and that nobody has logged in to. */
export async function checkedInstance() {
  const all = await guardedInstance()
  const { service, client, instanceId } = all
  const home = String(service.instances.homeOf(instanceId))
  return {
    ...{ ...all, home },
    verdicts: async () => {
      const { check } = await checkOf(client, instanceId)
      return Object.fromEntries(check?.comparisons.map(({ item, verdict }) => [item, verdict]) ?? [])
    },
    record: async () => {
      const { instances } = await firstOf(wholeLists(client.instances.watch))
      const record = instances?.find(({ id }) => id === instanceId)?.record
      if (record === undefined) throw new Error('It is not listed')
      return record
    },
    /** A program of its path is these lines; `sh` is its shell for commands. */
    setProgram: async (name: string, lines: string) => {
      const folder = join(home, '../root/bin')
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, name), `#!/bin/sh\n${lines}\n`)
      await chmod(join(folder, name), 0o755)
    },
  }
}
