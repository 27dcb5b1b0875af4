import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const top = join(import.meta.dirname, '../../..')
const pages = [
  ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'],
  ...readdirSync(join(top, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && name !== 'service-api.md')
    .map((name) => join('docs', name)),
]

/** What a page links to or shows within the project, from the project's top. */
function targetsOf(page: string): string[] {
  return [...readFileSync(join(top, page), 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(page), target))
}

test.each(pages)('%s leads to pages and pictures that are there', (page) => {
  expect(targetsOf(page).filter((target) => !existsSync(join(top, target)))).toEqual([])
})

test('every page is led to from the README, over other pages where it must', () => {
  const found = new Set(['README.md'])
  for (const page of found)
    for (const target of targetsOf(page)) if (pages.includes(target)) found.add(target)
  expect(pages.filter((page) => !found.has(page))).toEqual([])
})

test('pictures are small, and each is shown somewhere', () => {
  const pictures = readdirSync(join(top, 'docs/pictures')).map((name) => join('docs/pictures', name))
  const shown = new Set(pages.flatMap(targetsOf))
  expect(pictures.filter((picture) => !shown.has(picture))).toEqual([])
  expect(pictures.filter((picture) => statSync(join(top, picture)).size > 150_000)).toEqual([])
})
