import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const top = join(import.meta.dirname, '../../..')
const most = 40

/** Each folder that holds more files than can be looked through, with how many; files in its own folders don't count. */
function crowdedFolders(files: readonly string[]): Readonly<Record<string, number>> {
  const counts = Map.groupBy(files, (file) => dirname(file))
  return Object.fromEntries(
    [...counts].map(([folder, inIt]) => [folder, inIt.length] as const).filter(([, count]) => count > most),
  )
}

test('no folder holds more than 40 files: give what belongs together a folder of its own', () => {
  const files = execFileSync('git', ['-c', 'core.quotePath=off', 'ls-files', '-z'], {
    cwd: top,
    encoding: 'utf8',
  })
  expect(crowdedFolders(files.split('\0'))).toEqual({})
})

test('a folder of 41 is told, and one of 40 with another below it is not', () => {
  const files = (folder: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, at) => `${folder}/${at}.ts`)
  expect(crowdedFolders([...files('a', 41), ...files('b', 40), ...files('b/c', 40)])).toEqual({ a: 41 })
})
