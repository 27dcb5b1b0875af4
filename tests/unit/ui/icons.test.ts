import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { icons } from '@iconify-json/lucide'
import { expect, test } from 'vitest'

/** The build bundles each icon that the source names; a name that the collection lacks would be an empty box. */
test('every icon named in the window exists in the bundled collection', () => {
  const root = fileURLToPath(new URL('../../../src-renderer', import.meta.url))
  const named = globSync('**/*.{ts,vue}', { cwd: root }).flatMap((file) =>
    [...readFileSync(`${root}/${file}`, 'utf8').matchAll(/\bi-lucide-([a-z0-9-]+)/g)].map(
      (match) => match[1] ?? '',
    ),
  )
  expect(named.length).toBeGreaterThan(10)
  const lucide = new Set([...Object.keys(icons.icons), ...Object.keys(icons.aliases ?? {})])
  expect(named.filter((name) => !lucide.has(name))).toEqual([])
})
