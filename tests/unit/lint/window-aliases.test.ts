import { expect, test } from 'vitest'
import { complaints } from '../../support/complaints.ts'

const inPage = (script: string): string =>
  `<script setup lang="ts">\n${script}\n</script>\n<template><p /></template>\n`

test.each([
  ['src-renderer/shared/accounts/planted.ts', '../../ui/format.ts', '#ui/format.ts'],
  [
    'src-renderer/shared/accounts/planted.ts',
    '../instances/instances-store.ts',
    '#shared/instances/instances-store.ts',
  ],
  ['src-renderer/features/offers/OffersPage.vue', '../../ipc/watch.ts', '#ipc/watch.ts'],
  ['src-renderer/App.vue', './ui/format.ts', '#ui/format.ts'],
])('%s reaches %s by its alias', async (file, planted, alias) => {
  const importing = (specifier: string): string => {
    const line = `import * as other from '${specifier}'\nexport type Other = typeof other\n`
    return file.endsWith('.vue') ? inPage(line) : line
  }
  const said = await complaints(file, importing(planted), 'slipway/layers')
  expect(said).toEqual([expect.stringContaining(`write '${alias}'`)])
  expect(await complaints(file, importing(alias), 'slipway/layers')).toEqual([])
})
