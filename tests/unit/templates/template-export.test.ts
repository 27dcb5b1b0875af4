import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyContent } from '#domain/templates/template-content.ts'
import { templateFileText } from '#domain/templates/template-file.ts'
import { exportTemplate } from '#services/templates/template-export.ts'
import { expectMode } from '../../support/file-mode.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const content = { ...emptyContent, name: 'My trainer', env: '-e TOKEN=secret' }

test('a template is saved where the user says, for nobody else to read, and the place is told', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'template-7.json')
  expect(await exportTemplate({ id: 7, content }, async (name) => join(folder, name))).toBe(path)
  expect(await readFile(path, 'utf8')).toBe(templateFileText(content))
  await expectMode(path, 0o600)
})

test('without a chosen file nothing is saved, and no place is told', async () => {
  const folder = await temporaryFolder()
  expect(await exportTemplate({ id: 7, content }, async () => null)).toBeNull()
  expect(await readdir(folder)).toEqual([])
})

test('a file that cannot be written is a problem', async () => {
  const folder = await temporaryFolder()
  const failing = exportTemplate({ id: 7, content }, async () => join(folder, 'missing', 'template.json'))
  await expect(failing).rejects.toMatchObject({ problem: { kind: 'storage-failed' } })
})
