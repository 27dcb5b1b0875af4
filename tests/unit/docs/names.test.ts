import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { pages, proseOf, top } from './pages.ts'

/** Pages about the code. Those for users name nothing of it. */
const aboutCode = pages.filter(
  (page) => !/^(docs\/(guide|service-api|first-run)|CHANGELOG|\.github)/.test(page),
)

/** From where names of files and folders count, besides the page's own folder. */
const bases = ['', 'src-main', 'src-main/services', 'src-renderer', 'tests']
const specs = new Set(globSync('tests/e2e/**/*.spec.ts', { cwd: top }).map((path) => basename(path)))

/** What is made at run time, or by a command. */
const made = /^(out|dist|logs|scrollback|offer-prices|pushed|edited|Crashpad|manifests)\//

function isThere(page: string, name: string): boolean {
  return (
    specs.has(name) ||
    made.test(name) ||
    [dirname(page), ...bases].some((base) => existsSync(join(top, base, name)))
  )
}

/** What stands in backquotes, each once. */
function quotedIn(page: string): readonly string[] {
  return [...new Set([...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, quoted = '']) => quoted))]
}

test.each(aboutCode)('%s names files and folders that are there', (page) => {
  const names = quotedIn(page).filter((quoted) => /^[\w@.-][\w@./-]*(\.(ts|vue|mjs|js|css)|\/)$/.test(quoted))
  expect(names.filter((name) => !isThere(page, name))).toEqual([])
})

const words = new Set(
  globSync(['{src-main,src-renderer,tests,tools,build}/**/*.{ts,vue,js,mjs}', '*.{ts,js}', 'package.json'], {
    cwd: top,
  })
    .filter((path) => !/unit.docs/.test(path))
    .flatMap((path) => readFileSync(join(top, path), 'utf8').match(/[A-Za-z_]\w+/g) ?? []),
)

test.each(aboutCode)('%s names what the code has', (page) => {
  const names = quotedIn(page)
    .filter((quoted) => /^#?\w+(\.\w+)*(\(\))?$/.test(quoted))
    .flatMap((quoted) => quoted.split(/\W+/))
    .filter((name) => /[a-z][A-Z]/.test(name))
  expect(names.filter((name) => !words.has(name))).toEqual([])
})
