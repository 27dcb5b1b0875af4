import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import type { CopyState } from '#domain/files/edited-copy.ts'
import type { InstancesSnapshot } from '#domain/instances/instance.ts'
import {
  EditedCopies,
  editedCopiesFile,
  type EditedCopiesOptions,
} from '#services/files/open/edited-copies.ts'
import { OpenedFiles } from '#services/files/open/opened-files.ts'
import type { Connect } from '#services/files/session.ts'
import { SessionPool } from '#services/files/session-pool.ts'
import { openJsonFile } from '#services/storage/json-file.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { waitFor } from '../../../support/wait-for.ts'

interface CopiesOptions extends Partial<
  Pick<EditedCopiesOptions, 'regain' | 'tryNow' | 'isConnected' | 'snapshot'>
> {
  readonly connect: Connect
  /** The folder of the account, also of a run before. */
  readonly account: string
  /** On the instance. */
  readonly folder: string
  /** Waited for when all of a file was read, before the copies get it. */
  readonly afterRead?: () => Promise<void>
}

/** The app's copies for the user's own program, which is never started: the test edits the copies. */
export async function openCopies({ connect, account, folder, afterRead, ...options }: CopiesOptions) {
  const sessions = new SessionPool(systemClock)
  const log = memoryLog()
  const end = new AbortController()
  const isConnected = options.isConnected ?? (() => true)
  const opened = new OpenedFiles({ connect, sessions, isConnected, clock: systemClock, log })
  const started: string[] = []
  const place = {
    path: join(account, 'edited-copies.json'),
    isOwn: () => true,
    clock: systemClock,
    onNotice: () => undefined,
  }
  let made = Date.now()
  const nothing: Pick<InstancesSnapshot, 'instances' | 'fetchedAt' | 'unreadable'> = {
    ...{ instances: null, fetchedAt: null, unreadable: [] },
  }
  const copies = new EditedCopies({
    opened: {
      saveBytes: (...how) => opened.saveBytes(...how),
      readWhole: async (...how) => {
        const outcome = await opened.readWhole(...how)
        await afterRead?.()
        return outcome
      },
    },
    ...{ isConnected, log, clock: systemClock, platform: process.platform },
    ...{ regain: connect, tryNow: () => undefined },
    snapshot: new Latest(nothing as InstancesSnapshot),
    file: await openJsonFile({ ...place, ...editedCopiesFile }),
    folder: join(account, 'edited'),
    editor: { program: () => '/usr/bin/editor', start: async (_, path) => (started.push(path), true) },
    showInFolder: () => undefined,
    randomId: () => `copy-${(made += 1)}`,
    ...options,
  })
  const following = copies.follow(end.signal)
  const close = async (): Promise<void> => {
    await copies.dispose()
    end.abort()
    await following
    sessions.dispose()
  }
  onTestFinished(close)
  const state = (): CopyState | undefined => copies.latest.value.at(-1)?.state
  const until = (kind: CopyState['kind']): Promise<void> => waitFor(() => expect(state()?.kind).toBe(kind))
  /** Its path on this computer, and its id. */
  async function open(name: string) {
    expect(await copies.open({ instanceId: 1, folder, name })).toEqual({ kind: 'opened' })
    const [path = '', id = ''] = [started.at(-1), copies.latest.value.at(-1)?.id]
    return { path, id }
  }
  const left = (): Promise<readonly string[]> => readdir(join(account, 'edited')).catch(() => [])
  return { copies, open, state, until, close, left, started }
}
