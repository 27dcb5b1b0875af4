import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the lock file names no address, so that it works with every registry', () => {
  const lock = readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8')
  expect(lock.match(/"resolved"|https?:\/\/\S*\.tgz/g)).toBeNull()
})

test('every dependency is pinned exactly', () => {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  const manifest = JSON.parse(text) as Record<'dependencies' | 'devDependencies', Record<string, string>>
  const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    ([, version]) => !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+$/.test(version),
  )
  expect(loose).toEqual([])
})
