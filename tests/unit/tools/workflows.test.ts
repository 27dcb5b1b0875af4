import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readYaml } from '../../../tools/release/yaml.mjs'

const top = join(import.meta.dirname, '../../..')
const folder = join(top, '.github/workflows')
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')))

const permissions = z.record(z.string(), z.enum(['read', 'write', 'none']))
const step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
})
const workflow = z.looseObject({
  on: z.record(z.string(), z.unknown()),
  permissions,
  jobs: z.record(
    z.string(),
    z.looseObject({
      permissions: permissions.optional(),
      environment: z.string().optional(),
      'timeout-minutes': z.number(),
      steps: z.array(step),
    }),
  ),
})

const files = readdirSync(folder).filter((name) => name.endsWith('.yml'))

test('there is one for releases and one for the window on real Electron', () => {
  expect(files.sort()).toEqual(['e2e.yml', 'release.yml'])
})

describe.each(files)('%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8')
  const parsed = workflow.parse(readYaml(text))
  const jobs = Object.values(parsed.jobs)
  const steps = jobs.flatMap((job) => job.steps)

  test('may read what it builds, and only a job that says so may write', () => {
    expect(parsed.permissions).toEqual({ contents: 'read' })
    const more = jobs.filter((job) => job.permissions !== undefined)
    for (const job of more) {
      expect(job.permissions).toEqual({ contents: 'write' })
      // It runs no one's install scripts.
      expect(job.steps.map(({ run }) => run)).toContain('npm ci --ignore-scripts')
    }
  })

  test('gives no secret to what a pull request brings', () => {
    expect(Object.keys(parsed.on)).not.toContain('pull_request_target')
    expect(Object.keys(parsed.on)).not.toContain('workflow_run')
    if ('pull_request' in parsed.on) expect(text).not.toMatch(/\$\{\{[^}]*\bsecrets\b/)
    for (const job of jobs)
      if (/\bsecrets\./.test(JSON.stringify(job))) expect(job.environment).toBe('release')
  })

  test('runs actions by the full hash of a commit, with its version beside', () => {
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, used]) => used)
    expect(uses.length).toBeGreaterThan(0)
    for (const used of uses) expect(used).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  test('leaves no token of the checkout behind', () => {
    for (const { uses, with: given } of steps)
      if (uses?.startsWith('actions/checkout@') === true)
        expect(given).toMatchObject({ 'persist-credentials': false })
  })

  test('runs only npm scripts that there are', () => {
    const called = steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = '']) => script),
    )
    expect(called.length).toBeGreaterThan(0)
    for (const script of called) expect(Object.keys(scripts)).toContain(script)
  })

  test('gives notarytool its key as a file, which is all that it reads', () => {
    const given = [...text.matchAll(/^ *APPLE_API_KEY: (.*)$/gm)].map(([, value]) => value)
    for (const value of given) expect(value).toMatch(/format\('\{0\}\/notary\.p8', runner\.temp\)/)
    expect(text.includes('notary.p8')).toBe(given.length > 0)
    if (given.length > 0)
      expect(steps.map(({ run = '' }) => run).join('\n')).toContain('"$RUNNER_TEMP/notary.p8"')
  })

  test('puts nothing that a stranger can name into a command', () => {
    for (const { run = '' } of steps)
      expect([...run.matchAll(/\$\{\{\s*(.*?)\s*\}\}/g)].map(([, expression]) => expression)).toEqual(
        run.includes('matrix.target') ? ['matrix.target'] : [],
      )
  })
})
