import { expect, onTestFinished, test } from 'vitest'
import { TransferFailure } from '#services/files/failure.ts'
import type { FileTree } from '#services/files/file-tree.ts'
import { SessionPool } from '#services/files/session-pool.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import {
  requestKinds,
  type HostileServerOptions,
  type OddAnswerKind,
  type RequestKind,
} from '../../support/hostile-sftp-server.ts'
import { startHostileServer } from './hostile-server.ts'
import { connectTo } from './instance.ts'

const allAnswers: readonly OddAnswerKind[] = ['handle', 'data', 'name', 'attrs', 'ok', 'no-names']

/** What each request is rightly answered with; and what cannot be told from it. */
const right: Readonly<Record<RequestKind, readonly OddAnswerKind[]>> = {
  OPEN: ['handle', 'data'],
  OPENDIR: ['handle', 'data'],
  READ: ['data'],
  FSTAT: ['attrs'],
  LSTAT: ['attrs'],
  READDIR: ['name', 'no-names'],
  REALPATH: ['name'],
  CLOSE: ['ok'],
  MKDIR: ['ok'],
  RMDIR: ['ok'],
  REMOVE: ['ok'],
  RENAME: ['ok'],
  SETSTAT: ['ok'],
  FSETSTAT: ['ok'],
}

async function read(tree: FileTree): Promise<void> {
  const reader = await tree.openToRead('/file')
  await reader.read(0, new Uint8Array(3))
  await reader.close()
}

async function write(tree: FileTree): Promise<void> {
  const writer = await tree.openToWrite('/file')
  await writer.finish(0, { mode: 0o644, modifiedAt: 0 })
}

const works: Readonly<Record<RequestKind, (tree: FileTree) => Promise<unknown>>> = {
  OPEN: read,
  READ: read,
  CLOSE: read,
  FSTAT: write,
  FSETSTAT: write,
  OPENDIR: (tree) => tree.list('/'),
  READDIR: (tree) => tree.list('/'),
  LSTAT: (tree) => tree.find('/file'),
  REALPATH: (tree) => tree.resolve('.'),
  MKDIR: (tree) => tree.makeFolder('/new'),
  RMDIR: (tree) => tree.remove('/new', 'folder'),
  REMOVE: (tree) => tree.removeFile('/file'),
  RENAME: async (tree) => tree.rename('/file', '/other', true),
  SETSTAT: (tree) => tree.setAttributes('/file', { mode: 0o644, modifiedAt: 0 }),
}

test('hostile: an answer of another kind than was asked for is told, and the session goes on', async () => {
  const odd: NonNullable<HostileServerOptions['odd']> = {}
  const { address } = await startHostileServer({ odd, absent: ['/other'], content: Buffer.from('abc') })
  const sessions = new SessionPool(systemClock)
  onTestFinished(() => sessions.dispose())
  const { tree } = await sessions.acquire({
    instanceId: 1,
    purpose: 'look',
    connect: connectTo(address),
    signal: new AbortController().signal,
  })
  const told: string[] = []
  for (const kind of requestKinds)
    for (const answer of allAnswers.filter((one) => !right[kind].includes(one))) {
      Object.assign(odd, { [kind]: answer })
      const failure: unknown = await works[kind](tree).then(
        () => 'nothing was noticed',
        (error: unknown) => error,
      )
      if (failure instanceof TransferFailure && failure.problem.kind === 'failed')
        told.push(failure.problem.detail)
      else expect.soft(failure, `${kind} was answered with ${answer}`).toBe('a failure in words')
      Object.assign(odd, { [kind]: undefined })
    }
  expect(told).toHaveLength(14 * 5 - 3)
  for (const words of told)
    expect(words).toMatch(/^its file server answered with|^Response missing path info$/)
  await expect(read(tree)).resolves.toBeUndefined()
})
