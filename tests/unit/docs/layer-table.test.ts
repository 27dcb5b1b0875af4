import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { layerRows } from '../../../tools/lint/layer-rows.mjs'

test('the table of layers tells what lint keeps', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../tools/lint/README.md'), 'utf8')
  const [, section = ''] = /^## Layers\n([^]*?)\n## /m.exec(text) ?? []
  const told = [...section.matchAll(/^\| (`.*?) +\| (.*?) +\|$/gm)].map(([, layer, mayImport]) => [
    layer,
    mayImport,
  ])
  expect(told).toEqual(layerRows())
})
