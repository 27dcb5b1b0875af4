import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readYaml } from '../../../tools/release/yaml.mjs'

const top = join(import.meta.dirname, '../../..')
const read = (path: string): string => readFileSync(join(top, path), 'utf8')
const forms = readdirSync(join(top, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml')

/** What GitHub takes as a form for issues: https://docs.github.com/communities, “Syntax for issue forms”. */
const form = z.strictObject({
  name: z.string(),
  description: z.string(),
  labels: z.array(z.string()),
  body: z.array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: z.string() }) }),
      z.strictObject({
        type: z.literal('textarea'),
        id: z.string(),
        attributes: z.strictObject({
          label: z.string(),
          description: z.string().optional(),
          placeholder: z.string().optional(),
          render: z.string().optional(),
        }),
        validations: z.strictObject({ required: z.boolean() }).optional(),
      }),
      z.strictObject({
        type: z.literal('dropdown'),
        id: z.string(),
        attributes: z.strictObject({ label: z.string(), options: z.array(z.string()).min(1) }),
        validations: z.strictObject({ required: z.boolean() }).optional(),
      }),
      z.strictObject({
        type: z.literal('checkboxes'),
        id: z.string(),
        attributes: z.strictObject({
          label: z.string(),
          options: z.array(z.strictObject({ label: z.string(), required: z.boolean() })),
        }),
      }),
    ]),
  ),
})

describe.each(forms)('the form %s', (name) => {
  const { body } = form.parse(readYaml(read(`.github/ISSUE_TEMPLATE/${name}`)))

  test('warns of secrets before anything can be typed', () => {
    const [first] = body
    expect(first?.type === 'markdown' && first.attributes.value).toContain('Never paste secrets')
  })

  test('asks for the diagnostics report by the names that the window has', () => {
    const field = body.find((one) => 'id' in one && one.id === 'diagnostics')
    const text = field?.type === 'textarea' ? (field.attributes.description ?? '') : ''
    const [, place = '', button = ''] = /Settings > (.*?) > (.*?),/.exec(text) ?? []
    const page = read('src-renderer/features/diagnostics/DiagnosticsPage.vue')
    expect(page).toContain(`label="${button}"`)
    expect(page + read('docs/guide/troubleshooting.md')).toContain(place)
  })

  test('has no two fields of one id', () => {
    const ids = body.flatMap((one) => ('id' in one ? [one.id] : []))
    expect(new Set(ids).size).toBe(ids.length)
  })
})

const { updates } = z
  .object({
    updates: z.array(
      z.looseObject({
        'package-ecosystem': z.string(),
        ignore: z
          .array(z.object({ 'dependency-name': z.string(), 'update-types': z.array(z.string()).optional() }))
          .default([]),
      }),
    ),
  })
  .parse(readYaml(read('.github/dependabot.yml')))

test('a bot proposes newer packages and actions, but for those that are pinned for a reason', () => {
  expect(updates.map((one) => one['package-ecosystem'])).toEqual(['npm', 'github-actions'])
  const major = ['version-update:semver-major']
  expect(updates[0]?.ignore).toEqual([
    { 'dependency-name': '@orpc/*' },
    ...['electron', 'node', '@types/node', '@vueuse/core', 'typescript'].map((name) => ({
      'dependency-name': name,
      'update-types': major,
    })),
  ])
})

test('every package that is not updated is one of package.json', () => {
  const manifest = read('package.json')
  for (const { 'dependency-name': name } of updates.flatMap((one) => one.ignore))
    expect(manifest).toContain(`"${name.replace('*', '')}`)
})

test.each(['CODE_OF_CONDUCT.md', 'SECURITY.md', 'CHANGELOG.md'])('CONTRIBUTING leads to %s', (name) => {
  expect(existsSync(join(top, name))).toBe(true)
  expect(read('CONTRIBUTING.md')).toContain(`](${name})`)
})
