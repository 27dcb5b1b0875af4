import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the lock file names no address, so that it works with every registry', () => {
  const lock = readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8')
  expect(lock.match(/"resolved"|https?:\/\/\S*\.tgz/g)).toBeNull()
})

const manifest = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as Record<'dependencies' | 'devDependencies', Record<string, string>>

test('.node-version names the Node of package.json', () => {
  const named = readFileSync(new URL('../../../.node-version', import.meta.url), 'utf8').trim()
  expect(named).toBe(manifest.devDependencies['node'])
})

test('every dependency is pinned exactly', () => {
  const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    ([, version]) => !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+$/.test(version),
  )
  expect(loose).toEqual([])
})
