import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeCommit } from '../../bench/commit.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-commit-'))
})

afterEach(() => rm(folder, { recursive: true }))

async function git(...args: string[]): Promise<string> {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgSign=false']
  const { stdout } = await promisify(execFile)('git', [...who, ...args], { cwd: folder })
  return stdout.trim()
}

test('a clone is at its commit, and changes since are told', async () => {
  await git('init', '--quiet')
  await writeFile(join(folder, 'kept'), 'one')
  await git('add', 'kept')
  await git('commit', '--quiet', '--message', 'First')
  const name = await git('rev-parse', '--short', 'HEAD')
  expect(await describeCommit(folder)).toBe(name)
  await writeFile(join(folder, 'kept'), 'two')
  expect(await describeCommit(folder)).toBe(`${name} with changes`)

  // Unpacked there without its own history: the commit around it says nothing of it.
  await mkdir(join(folder, 'unpacked'))
  expect(await describeCommit(join(folder, 'unpacked'))).toBeNull()
})

test('a folder without history is at no commit, nor is one without a first commit', async () => {
  expect(await describeCommit(folder)).toBeNull()
  await git('init', '--quiet')
  expect(await describeCommit(folder)).toBeNull()
})
