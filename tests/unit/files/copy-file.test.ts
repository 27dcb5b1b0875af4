import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ByteBudget } from '#services/files/byte-budget.ts'
import { copyFile, type CopyOptions } from '#services/files/copy-file.ts'
import type { FileTree } from '#services/files/file-tree.ts'
import { createLocalTree } from '#services/files/local-tree.ts'
import { pieceBytes } from '#services/files/pipelined-copy.ts'
import { spreadTree } from '#services/files/spread-tree.ts'

const pieces = 100
const size = pieces * pieceBytes

function localTree(homeFolder: string): FileTree {
  return createLocalTree({
    ...{ homeFolder, platform: 'linux', umask: 0o022 },
    trash: () => Promise.reject(new Error('nothing is thrown away')),
  })
}

/** A file, and a folder that it is to be copied to. */
async function startCopy() {
  const from = await mkdtemp(join(tmpdir(), 'slipway-copy-'))
  const to = await mkdtemp(join(tmpdir(), 'slipway-copy-'))
  onTestFinished(async () => {
    for (const folder of [from, to]) await rm(folder, { recursive: true })
  })
  const content = Buffer.alloc(size)
  for (let piece = 0; piece < pieces; piece += 1) content.fill(piece, piece * pieceBytes)
  const source = join(from, 'f')
  await writeFile(source, content)
  const options: Omit<CopyOptions, 'target' | 'written'> = {
    source: localTree(from),
    sourceId: null,
    file: {
      ...{ source, size, targetFolder: to, targetName: 'f', replace: false },
      attributes: { mode: null, modifiedAt: null },
    },
    budget: new ByteBudget(16 * 1024 * 1024),
    signal: new AbortController().signal,
    onBytes: () => undefined,
    onPart: () => undefined,
  }
  return { options, content, to }
}

/** A tree that notes which pieces are written, and loses its link at one of them. */
function losingTree(tree: FileTree, told: number[], lostAt = Infinity): FileTree {
  return {
    ...tree,
    openToWrite: async (...how) => {
      const writer = await tree.openToWrite(...how)
      return {
        ...writer,
        write: async (offset, bytes) => {
          const piece = offset / pieceBytes
          if (piece === lostAt) throw new Error('lost')
          told.push(piece)
          await writer.write(offset, bytes)
        },
      }
    },
  }
}

const spread = (tree: FileTree, others: Promise<readonly FileTree[]>): FileTree =>
  spreadTree(tree, { leastBytes: 1, more: () => others })

test.each([
  { what: 'from where the first gap is, when this run has written it', forgets: false },
  { what: 'before all that may have been under way, when another run has', forgets: true },
])('a large file whose link was lost goes on $what', async ({ forgets }) => {
  const { options, content, to } = await startCopy()
  const written = new Map<string, number>()
  const others = [losingTree(localTree(to), [], 80)]
  const lost = copyFile({ ...options, written, target: spread(localTree(to), Promise.resolve(others)) })
  await expect(lost).rejects.toThrow('lost')
  if (forgets) written.clear()
  const told: number[] = []
  const target = spread(losingTree(localTree(to), told), new Promise(() => undefined))
  const [part] = await readdir(to)
  const kept = (await readFile(join(to, part ?? ''))).length / pieceBytes
  expect(kept).toBeGreaterThan(80)
  await copyFile({ ...options, written, target })
  expect(told[0]).toBe(forgets ? kept - 64 : 80)
  expect((await readFile(join(to, 'f'))).equals(content)).toBe(true)
  expect(written.size).toBe(0)
})

test('a machine that holds less than it has said it wrote is sent all that may be missing', async () => {
  const { options, content, to } = await startCopy()
  const written = new Map<string, number>()
  const lost = copyFile({ ...options, written, target: losingTree(localTree(to), [], 60) })
  await expect(lost).rejects.toThrow('lost')
  const [part = ''] = await readdir(to)
  const half = (await readFile(join(to, part))).subarray(0, 50 * pieceBytes)
  half.fill(255, 43 * pieceBytes)
  await writeFile(join(to, part), half)
  await copyFile({ ...options, written, target: localTree(to) })
  expect((await readFile(join(to, 'f'))).equals(content)).toBe(true)
})

test('a file that is finished before its further ways are open is not made again by those', async () => {
  const { options, to } = await startCopy()
  const others = Promise.withResolvers<readonly FileTree[]>()
  const target = spread(localTree(to), others.promise)
  await copyFile({ ...options, written: new Map(), target })
  const other = localTree(to)
  const opened = Promise.withResolvers<undefined>()
  const openToWrite: FileTree['openToWrite'] = async (...how) => {
    try {
      return await other.openToWrite(...how)
    } finally {
      opened.resolve(undefined)
    }
  }
  others.resolve([{ ...other, openToWrite }])
  await opened.promise
  expect(await readdir(to)).toEqual(['f'])
})
