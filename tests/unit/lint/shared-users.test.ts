import { expect, test } from 'vitest'
import { usersOf } from '../../support/places.ts'
import { sourceImports, type Imports } from '../../support/source-imports.ts'

/** Each file of the window's shared/ that serves one page only, or only what stands around the pages. */
function lonelyOnes(imports: Imports): readonly string[] {
  return [...usersOf('src-renderer/shared/', imports)].flatMap(([file, places]) => {
    // The entry, App.vue, and the router stand around the pages, too.
    const users = new Set(
      places.map((place) => (place.startsWith('src-renderer/features/') ? place : 'src-renderer/workbench')),
    )
    return users.size < 2 ? [`${file}: ${[...users].join()}`] : []
  })
}

test('every file of shared/ serves two pages, or a page and the workbench; one that serves one belongs there', () => {
  expect(lonelyOnes(sourceImports())).toEqual([])
})

test('one of a single page is told, also where it serves that through another one or in two of its folders', () => {
  const imports = new Map([
    ['src-renderer/shared/guards/text.ts', []],
    ['src-renderer/shared/guards/stand.ts', ['src-renderer/shared/guards/text.ts']],
    ['src-renderer/features/instances/guards/List.vue', ['src-renderer/shared/guards/stand.ts']],
    ['src-renderer/features/instances/Page.vue', ['src-renderer/shared/guards/stand.ts']],
    ['src-renderer/shared/accounts/mark.ts', []],
    ['src-renderer/workbench/Rail.vue', ['src-renderer/shared/accounts/mark.ts']],
    ['src-renderer/App.vue', ['src-renderer/shared/accounts/mark.ts']],
    ['src-renderer/shared/instances/store.ts', []],
    ['src-renderer/features/offers/Page.vue', ['src-renderer/shared/instances/store.ts']],
    ['src-renderer/workbench/Bar.vue', ['src-renderer/shared/instances/store.ts']],
  ])
  expect(lonelyOnes(imports)).toEqual([
    'src-renderer/shared/guards/text.ts: src-renderer/features/instances',
    'src-renderer/shared/guards/stand.ts: src-renderer/features/instances',
    'src-renderer/shared/accounts/mark.ts: src-renderer/workbench',
  ])
})
