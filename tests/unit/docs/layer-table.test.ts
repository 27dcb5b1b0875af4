import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { layerRows } from '../../../tools/lint/layer-rows.mjs'

test('CONTRIBUTING tells the layers as lint keeps them', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = /^## Layers\n([^]*?)\n## /m.exec(text) ?? []
  const told = [...section.matchAll(/^\| (`.*?) +\| (.*?) +\|$/gm)].map(([, layer, mayImport]) => [
    layer,
    mayImport,
  ])
  expect(told).toEqual(layerRows())
})
