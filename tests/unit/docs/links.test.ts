import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { pages, proseOf, top } from './pages.ts'

/** What a page links to or shows within the project: from the project's top, with what comes after `#`. */
function linksOf(page: string): readonly { readonly target: string; readonly anchor: string }[] {
  return [...proseOf(page).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(
    ([, target = '', anchor = '']) => ({
      target: target === '' ? page : posix.join(posix.dirname(page), target),
      anchor,
    }),
  )
}

/** By what an address names the headings of a page, as GitHub makes it of them. */
function anchorsOf(page: string): readonly string[] {
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test.each(pages)('%s leads to pages and pictures that are there', (page) => {
  const missing = linksOf(page).filter(({ target }) => !existsSync(join(top, target)))
  expect(missing).toEqual([])
})

test.each(pages)('%s leads to headings that are there', (page) => {
  const missing = linksOf(page).filter(
    ({ target, anchor }) => anchor !== '' && !(target.endsWith('.md') && anchorsOf(target).includes(anchor)),
  )
  expect(missing).toEqual([])
})

test('every page is led to from the README, over other pages where it must', () => {
  const found = new Set(['README.md'])
  for (const page of found)
    for (const { target } of linksOf(page)) if (pages.includes(target)) found.add(target)
  // GitHub shows it itself.
  const others = pages.filter((page) => dirname(page) !== '.github')
  expect(others.filter((page) => !found.has(page))).toEqual([])
})

test('pictures are small, and each is shown somewhere', () => {
  const pictures = readdirSync(join(top, 'docs/pictures')).map((name) => `docs/pictures/${name}`)
  const shown = new Set(pages.flatMap(linksOf).map(({ target }) => target))
  expect(pictures.filter((picture) => !shown.has(picture))).toEqual([])
  expect(pictures.filter((picture) => statSync(join(top, picture)).size > 150_000)).toEqual([])
})
