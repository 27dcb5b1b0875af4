import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project } from '#domain/files/project.ts'
import { createLocalTree } from '#services/files/local-tree.ts'
import { ProjectPush } from '#services/files/push/project-push.ts'
import { PushedFiles, pushedLine } from '#services/files/push/pushed-files.ts'
import { FolderSync } from '#services/files/push/sync.ts'
import { SessionPool } from '#services/files/session-pool.ts'
import { openJournal } from '#services/storage/journal.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { ratio, type Figure } from '../figure.ts'
import type { BenchOptions } from '../options.ts'
import { takeTurns } from '../rounds.ts'
import { instanceIds, type BenchMachine } from './bench-machine.ts'
import { runOpenSshSftp } from './open-ssh.ts'

const comparedFiles = 5_000
const sentFiles = 1_000
const fileBytes = 4_096
const perFolder = 50

/** A project's push, from logging in to its end, beside OpenSSH's sftp, which lists the same folders or sends the same files. */
export async function measurePush(machine: BenchMachine, { rounds, scale }: BenchOptions): Promise<Figure[]> {
  const compared = Math.ceil(comparedFiles * scale)
  const equal = await prepare(machine, 'equal', compared)
  await onProject(machine, 'equal', sendAll)
  const comparing = await takeTurns(rounds, {
    slipway: () => onProject(machine, 'equal', findNothing),
    openSsh: () => runOpenSshSftp(machine, 'near', equal.map((name) => `ls -la equal/${name}`).join('\n')),
  })

  const sent = Math.ceil(sentFiles * scale)
  await prepare(machine, 'sent', sent)
  const anew = async (): Promise<void> => {
    for (const path of [join(machine.home, 'sent'), journalOf(machine, 'sent')])
      await rm(path, { recursive: true, force: true })
  }
  const sending = await takeTurns(rounds, {
    slipway: async () => {
      await anew()
      return onProject(machine, 'sent', sendAll)
    },
    openSsh: async () => {
      await anew()
      return runOpenSshSftp(machine, 'near', `put -fpr "${join(machine.folder, 'sent')}" sent`)
    },
  })
  return [
    ratio({
      ...{
        name: `push, comparing ${compared} files of which none changed`,
        unit: 's',
        target: { atMost: 5 },
      },
      ...{ subject: comparing.slipway, yardstick: comparing.openSsh, against: "OpenSSH's sftp ls -la" },
    }),
    ratio({
      ...{ name: `push, sending ${sent} small files`, unit: 's', target: { atMost: 1 } },
      ...{ subject: sending.slipway, yardstick: sending.openSsh, against: "OpenSSH's sftp -fp" },
    }),
  ]
}

async function sendAll(push: ProjectPush): Promise<void> {
  const outcome = await push.push({ replace: [], remove: [], keep: [] })
  if (outcome !== 'done') throw new Error(`The push failed: ${JSON.stringify(push.state.phase)}`)
}

async function findNothing(push: ProjectPush): Promise<void> {
  const outcome = await push.review(new AbortController().signal)
  if (outcome.kind === 'failed' || outcome.named.length > 0) throw new Error(JSON.stringify(outcome))
}

/** @returns the folders that the files are in */
async function prepare(machine: BenchMachine, name: string, count: number): Promise<readonly string[]> {
  const folders = Array.from({ length: Math.ceil(count / perFolder) }, (_, index) => `folder-${index}`)
  for (const folder of folders) await mkdir(join(machine.folder, name, folder), { recursive: true })
  for (let index = 0; index < count; index += 1) {
    const folder = folders[Math.floor(index / perFolder)] ?? ''
    const path = join(machine.folder, name, folder, `file-${index}`)
    await writeFile(path, Buffer.alloc(fileBytes, String(index)))
  }
  return folders
}

function journalOf({ folder }: BenchMachine, name: string): string {
  return join(folder, `${name}.jsonl`)
}

/** As after a start of Slipway, over a connection of its own. @returns how long it took, in seconds */
async function onProject(
  machine: BenchMachine,
  name: string,
  work: (push: ProjectPush) => Promise<void>,
): Promise<number> {
  const sessions = new SessionPool(systemClock)
  const [clock, log] = [systemClock, memoryLog()]
  const { folder } = machine
  const localTree = createLocalTree({
    homeFolder: folder,
    platform: process.platform,
    umask: 0o022,
    trash: rm,
  })
  const project: Project = {
    ...{ id: name, instanceId: instanceIds.near, local: join(folder, name), remote: `~/${name}` },
    ...{ honorGitignore: true, excludes: [], removeGone: true, pushOnSave: false, isReviewed: false },
  }
  const onNotice = (notice: { readonly detail: string }): void => {
    throw new Error(notice.detail)
  }
  const push = new ProjectPush({
    ...{ project, ignoring: null, localTree, clock, log, onChange: () => undefined },
    sync: new FolderSync({ localTree, sessions, connections: machine.connect(), clock, log }),
    pushed: new PushedFiles(openJournal({ path: journalOf(machine, name), schema: pushedLine, onNotice })),
    onPushed: () => Promise.resolve(),
  })
  const begun = performance.now()
  await work(push)
  const took = (performance.now() - begun) / 1_000
  await push.dispose()
  sessions.dispose()
  return took
}
