import { execFileSync } from 'node:child_process'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDefinitionFiles } from '#services/jobs/definition-files.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const project = join(import.meta.dirname, '../../e2e/support/demo-project')

test('the definition in the demo’s project is one', async () => {
  const files = createDefinitionFiles({ choose: () => Promise.resolve(null), umask: 0o022 })
  expect(await files.readDefinition(project)).toMatchObject({
    kind: 'read',
    unknown: [],
    definition: { name: 'Fit a line', fetch: ['out/'], then: 'destroy' },
  })
})

test.runIf(process.platform !== 'win32')(
  'its command learns, and writes what it says comes back',
  async () => {
    const folder = await temporaryFolder()
    await cp(project, folder, { recursive: true })
    const log = execFileSync('sh', ['train.sh', '12'], { cwd: folder, encoding: 'utf8' })
    expect(log.trim().split('\n')).toHaveLength(12)
    const [head, ...losses] = (await readFile(join(folder, 'out/loss.csv'), 'utf8')).trim().split('\n')
    expect(head).toBe('epoch,loss')
    expect(losses).toHaveLength(12)
    const [first, last] = [losses[0], losses.at(-1)].map((line) => Number(line?.split(',')[1]))
    expect(last).toBeLessThan((first ?? 0) / 4)
    const model: unknown = JSON.parse(await readFile(join(folder, 'out/model.json'), 'utf8'))
    expect(model).toMatchObject({ slope: expect.closeTo(3, -1), offset: expect.any(Number) })
  },
)
