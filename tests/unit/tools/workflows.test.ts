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
      strategy: z.object({ matrix: z.record(z.string(), z.unknown()) }).optional(),
      needs: z.unknown().optional(),
      'timeout-minutes': z.number(),
      steps: z.array(step),
    }),
  ),
})

const files = readdirSync(folder).filter((name) => name.endsWith('.yml'))

const read = (name: string) => workflow.parse(readYaml(readFileSync(join(folder, name), 'utf8')))
const linesOf = ({ steps }: { readonly steps: readonly { readonly run?: string | undefined }[] }) =>
  steps.map(({ run = '' }) => run).join('\n')

test('there is one for changes and one for releases', () => {
  expect(files.sort()).toEqual(['ci.yml', 'release.yml'])
})

test('a change is checked whole, in its units on three systems, and in its window on real Electron', () => {
  const { on, jobs } = read('ci.yml')
  expect(Object.keys(on)).toEqual(expect.arrayContaining(['push', 'pull_request']))
  expect(linesOf(jobs['check'] ?? { steps: [] })).toBe('\n.ci/run\n')
  expect(linesOf(jobs['unit'] ?? { steps: [] })).toContain('npm run test:unit')
  expect(jobs['unit']?.strategy?.matrix).toEqual({ os: ['ubuntu-24.04', 'macos-15', 'windows-2025'] })
  const shards = z.object({ shard: z.array(z.number()) }).parse(jobs['e2e']?.strategy?.matrix).shard
  expect(shards).toEqual(shards.map((_, index) => index + 1))
  expect(shards.length).toBeGreaterThan(1)
  expect(linesOf(jobs['e2e'] ?? { steps: [] })).toContain('npm run test:e2e -- --shard="$SHARD"')
  expect(JSON.stringify(jobs['e2e'])).toContain('${{ matrix.shard }}/${{ strategy.job-total }}')
})

test('a release brings checksums first, and of those manifests for package managers', () => {
  const lines = linesOf(read('release.yml').jobs['draft'] ?? { steps: [] })
  const steps = ['release:sign', 'sha256sum', 'release:manifests', 'gh release create']
  const places = steps.map((one) => lines.indexOf(one))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(lines).toContain('--prerelease="$IS_PRERELEASE"')
})

test('a pre-release is one that Slipway can offer', () => {
  const { tags } = z.object({ tags: z.array(z.string()) }).parse(read('release.yml').on['push'])
  expect(tags).toEqual(['v[0-9]+.[0-9]+.[0-9]+', 'v[0-9]+.[0-9]+.[0-9]+-beta.[0-9]+'])
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
      if (job.permissions?.['id-token'] === 'write') {
        expect(job.permissions).toEqual({ 'id-token': 'write', attestations: 'write' })
        // Nothing of the project, and no secret, is where provenance is signed.
        expect(job.steps.map(({ run }) => run)).toEqual(job.steps.map(() => undefined))
        expect(job.steps.map(({ uses }) => uses).join(' ')).not.toContain('actions/checkout')
        expect(job.environment).toBeUndefined()
      } else {
        expect(job.permissions).toEqual({ contents: 'write' })
        // It runs no one's install scripts.
        expect(job.steps.map(({ run }) => run)).toContain('npm ci --ignore-scripts')
      }
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

test('a release is drafted with checksums of all its files, and a provenance for each that was built', () => {
  const text = readFileSync(join(folder, 'release.yml'), 'utf8')
  const { jobs } = workflow.parse(readYaml(text))
  const linesOf = (job: string, action: string, field: string) => {
    const found = jobs[job]?.steps.find(({ uses }) => uses?.startsWith(`actions/${action}@`) === true)
    return z.string().parse(found?.with?.[field]).trim().split('\n')
  }
  const built = linesOf('build', 'upload-artifact', 'path')
  expect(built).toContain('dist/*.cdx.json')
  // Release files are signed after that, with Slipway's own key.
  const releaseFiles = ['dist/latest*.yml', 'dist/beta*.yml']
  expect(
    [...linesOf('provenance', 'attest-build-provenance', 'subject-path'), ...releaseFiles].sort(),
  ).toEqual(built.sort())
  for (const job of ['provenance', 'draft'])
    expect(linesOf(job, 'download-artifact', 'pattern')).toEqual(['dist-*'])
  expect(jobs['draft']?.needs).toEqual(['build', 'provenance'])
  expect(jobs['draft']?.steps.map(({ run = '' }) => run).join('\n')).toContain('sha256sum -- *')
})
