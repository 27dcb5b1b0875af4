import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { billOfMaterials } from '../../../tools/release/bill-of-materials.mjs'

const lock = z
  .looseObject({
    packages: z.record(
      z.string(),
      z.looseObject({ name: z.string().optional(), version: z.string().optional() }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../../package-lock.json'), 'utf8')))

/** What CycloneDX 1.5 asks of a file in JSON, of the parts that are used here. */
const license = z.union([
  z.strictObject({ license: z.strictObject({ id: z.string() }) }),
  z.strictObject({ expression: z.string() }),
])
const component = z.looseObject({
  'bom-ref': z.string(),
  type: z.enum(['application', 'library']),
  name: z.string(),
  version: z.string(),
  purl: z.string().regex(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/),
  licenses: z.array(license).min(1),
})
const cycloneDx = z.strictObject({
  $schema: z.literal('http://cyclonedx.org/schema/bom-1.5.schema.json'),
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.5'),
  version: z.literal(1),
  metadata: z.looseObject({ component: component.extend({ type: z.literal('application') }) }),
  components: z.array(
    component.extend({
      hashes: z.array(
        z.strictObject({ alg: z.literal('SHA-512'), content: z.string().regex(/^[0-9a-f]{128}$/) }),
      ),
    }),
  ),
  dependencies: z.array(z.strictObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
})

/** A package of the lock file, as the build would have collected it. */
function shipped(path: string) {
  const { name = path.replace(/^.*node_modules\//, ''), version = '' } = lock.packages[path] ?? {}
  return { name, version, license: 'MIT' }
}
const packages = [
  'node_modules/zod',
  'node_modules/keytar',
  'node_modules/ssh2',
  'node_modules/asn1',
  'node_modules/echarts',
  'node_modules/echarts/node_modules/tslib',
  'node_modules/tslib',
].map(shipped)
const bill = () => cycloneDx.parse(billOfMaterials({ version: '1.2.3', license: 'MIT' }, lock, packages))

test('has what ships and nothing else, also twice in two versions, with purls, hashes and licenses', () => {
  const { metadata, components } = bill()
  expect(metadata.component).toMatchObject({ name: 'slipway', version: '1.2.3' })
  const ids = packages.map(({ name, version }) => `${name}@${version}`)
  expect(new Set(ids).size).toBe(packages.length)
  expect(components.map(({ 'bom-ref': ref }) => ref).sort()).toEqual(ids.sort())
  expect(components.map(({ name, version }) => `${name}@${version}`).sort()).toEqual(ids)
  expect(components.find(({ name }) => name === '@github/keytar')?.purl).toMatch(
    /^pkg:npm\/%40github\/keytar@/,
  )
})

test('tells which of them needs which', () => {
  const { dependencies } = bill()
  const needs = (name: string) => dependencies.find(({ ref }) => ref.startsWith(`${name}@`))?.dependsOn
  expect(needs('ssh2')).toEqual([expect.stringMatching(/^asn1@/)])
  expect(needs('slipway')).toHaveLength(packages.length - 1)
})

test('names no need for a package of which only another version ships', () => {
  const some = ['echarts', 'echarts/node_modules/tslib', 'aria-hidden'].map((path) =>
    shipped(`node_modules/${path}`),
  )
  const { dependencies } = cycloneDx.parse(billOfMaterials({ version: '1.2.3', license: 'MIT' }, lock, some))
  const needs = (name: string) => dependencies.find(({ ref }) => ref.startsWith(`${name}@`))?.dependsOn
  expect(needs('echarts')).toEqual([`tslib@${some[1]?.version}`])
  expect(needs('aria-hidden')).toEqual([])
})

test('is the same each time', () => {
  expect(bill()).toEqual(bill())
})

test('is refused for a package that the lock file does not have', () => {
  const stranger = { name: 'stranger', version: '1.0.0', license: 'MIT' }
  expect(() => billOfMaterials({ version: '1.2.3', license: 'MIT' }, lock, [...packages, stranger])).toThrow(
    'npm tells nothing of stranger@1.0.0',
  )
})
