import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages, textOf, top } from './pages.ts'

function foldersIn(folder: string): readonly string[] {
  return readdirSync(join(top, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

const linesOf = (page: string): number => textOf(page).split('\n').length - 1

test('the map is one page, and so is what stands beside the code', () => {
  expect(linesOf('ARCHITECTURE.md')).toBeLessThan(160)
  expect(linesOf('CONTRIBUTING.md')).toBeLessThan(250)
  const besideCode = pages.filter((page) => /^(src-|tests\/).*README\.md$/.test(page))
  expect(besideCode.filter((page) => linesOf(page) > 100)).toEqual([])
})

test('the map has every room of main and window', () => {
  const map = textOf('ARCHITECTURE.md')
  const rooms = ['src-main', 'src-renderer'].flatMap((side) =>
    foldersIn(side).map((name) => `\`${side}/${name}/\``),
  )
  expect(rooms.length).toBeGreaterThan(8)
  expect(rooms.filter((room) => !map.includes(room))).toEqual([])
})

const areas = foldersIn('src-main/services')

test.each(areas)('the map leads to what is specific to %s', (area) => {
  const readme = `src-main/services/${area}/README.md`
  const hasOwn = existsSync(join(top, readme))
  expect(textOf('ARCHITECTURE.md')).toContain(
    `[${area}](${hasOwn ? readme : 'src-main/services/README.md#small-areas'})`,
  )
  const services = textOf('src-main/services/README.md')
  expect(services).toContain(hasOwn ? `[${area}](${area}/README.md)` : `\n**${area}** `)
})

test.each(areas)('a README of %s says where to begin: at the area’s door', (area) => {
  const folder = `src-main/services/${area}`
  if (!existsSync(join(top, folder, 'README.md'))) return
  const text = textOf(`${folder}/README.md`)
  expect(text).toMatch(new RegExp(`^# ${area}\n`))
  const [, begin] = /^Begin at `([^`]+)`/m.exec(text) ?? []
  if (existsSync(join(top, folder, `open-${area}.ts`))) expect(begin).toBe(`open-${area}.ts`)
  else expect(begin).toBeDefined()
})
