import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  definitionFileText,
  readDefinitionFile,
  type DefinitionContent,
} from '#domain/jobs/definition-file.ts'
import { createDefinitionFiles } from '#services/jobs/definition-files.ts'
import { expectMode } from '../../support/file-mode.ts'
import { problemOf } from '../../support/problem-of.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const content: DefinitionContent = {
  definition: {
    name: 'Train',
    command: 'sh train.sh',
    send: { honorGitignore: true, exclude: ['data/raw/'] },
    fetch: ['out/'],
    then: 'destroy',
    stopAfterMinutes: 60,
  },
  rent: null,
}
const other = { ...content, definition: { ...content.definition, name: 'Test' } }
const text = definitionFileText(content)

async function setUp(chosen: string | null = null) {
  const folder = await temporaryFolder()
  const path = join(folder, 'slipway.json')
  const asked: string[] = []
  const files = createDefinitionFiles({
    choose: async (kind) => {
      asked.push(kind)
      return chosen ?? folder
    },
    umask: 0o027,
  })
  const save = (order: Partial<DefinitionContent & { replaces: boolean }> = {}) =>
    files.saveDefinition({ ...{ folder, replaces: false }, ...content, ...order })
  return { folder, path, asked, files, save }
}

test('a folder is chosen, and its definition read', async () => {
  const { folder, path, asked, files } = await setUp()
  expect(await files.chooseFolder()).toEqual({ kind: 'none', folder })
  await writeFile(path, text)
  expect(await files.chooseFolder()).toEqual({ kind: 'read', folder, unknown: [], ...content })
  expect(asked).toEqual(['folder', 'folder'])
})

test('a definition of any name is opened; the folder that it is in is the project’s', async () => {
  const folder = await temporaryFolder()
  const { asked, files } = await setUp(join(folder, 'long run.json'))
  await writeFile(join(folder, 'long run.json'), definitionFileText(other))
  await writeFile(join(folder, 'slipway.json'), text)
  expect(await files.openDefinition()).toMatchObject({ folder, definition: { name: 'Test' } })
  expect(asked).toEqual(['definition'])
})

test('a dialog that the user leaves does nothing', async () => {
  const files = createDefinitionFiles({ choose: () => Promise.resolve(null), umask: 0o022 })
  expect(await files.chooseFolder()).toBeNull()
  expect(await files.openDefinition()).toBeNull()
})

test('what is saved is read again, may be read by whoever reads the project, and is all that changes there', async () => {
  const { folder, path, files, save } = await setUp()
  await mkdir(join(folder, 'out'))
  await writeFile(join(folder, 'train.sh'), 'true')
  expect(await save()).toBe('saved')
  expect(await files.readDefinition(folder)).toMatchObject({ kind: 'read', ...content })
  await expectMode(path, 0o640)
  expect((await readdir(folder)).toSorted()).toEqual(['out', 'slipway.json', 'train.sh'])
})

test('another one stays until it is to be replaced; its permissions and its schema’s address stay then, too', async () => {
  const { path, save } = await setUp()
  await writeFile(path, definitionFileText(other, './slipway.schema.json'))
  await chmod(path, 0o664)
  expect(await save()).toBe('exists')
  expect(await readFile(path, 'utf8')).toContain('"Test"')
  expect(await save({ replaces: true })).toBe('saved')
  expect(await readFile(path, 'utf8')).toBe(definitionFileText(content, './slipway.schema.json'))
  await expectMode(path, 0o664)
})

test('the same once more is not written: editors and backups see no change', async () => {
  const { path, save } = await setUp()
  await save()
  const before = await stat(path)
  expect(await save()).toBe('saved')
  expect((await stat(path)).ino).toBe(before.ino)
})

test('what only looks the same is asked about: unknown fields would be lost', async () => {
  const { path, save } = await setUp()
  await writeFile(path, JSON.stringify({ ...JSON.parse(text), owner: 'me' }))
  expect(await save()).toBe('exists')
  expect(await save({ replaces: true })).toBe('saved')
  expect(await readFile(path, 'utf8')).toBe(text)
})

test.each([
  ['no JSON', '{', 'not-json'],
  ['a newer one', '{"version": 9}', 'newer'],
  ['one with a wrong field', '{"version": 1}', 'unfit'],
])('%s is told, and asked about before it is replaced', async (_what, faulty, fault) => {
  const { path, folder, files, save } = await setUp()
  await writeFile(path, faulty)
  expect(await files.readDefinition(folder)).toMatchObject({ kind: 'faulty', folder, fault })
  expect(await save()).toBe('exists')
  expect(await readFile(path, 'utf8')).toBe(faulty)
})

test('a file that is far too long is read no further than its bound', async () => {
  const { path, folder, files } = await setUp()
  await writeFile(path, Buffer.alloc(50_000_000, ' '))
  expect(await files.readDefinition(folder)).toMatchObject({ kind: 'faulty', fault: 'too-long' })
})

test('what is no text is unreadable; a mark of its byte order is no fault', async () => {
  const { path, folder, files } = await setUp()
  await writeFile(path, Buffer.from([0x22, 0xff, 0x22]))
  expect(await files.readDefinition(folder)).toMatchObject({ kind: 'faulty', fault: 'unreadable' })
  await writeFile(path, `\u{FEFF}${text}`)
  expect(await files.readDefinition(folder)).toMatchObject({ kind: 'read' })
})

test.runIf(process.platform !== 'win32')(
  'a link, a pipe, or a folder of this name is neither followed nor written over',
  async () => {
    const { path: target, save: saveTarget } = await setUp()
    await saveTarget()
    const makers: readonly ((path: string) => unknown)[] = [
      (path) => symlink(target, path),
      (path) => symlink('/dev/zero', path),
      (path) => execFileSync('mkfifo', [path]),
      (path) => mkdir(path),
    ]
    for (const make of makers) {
      const { path, folder, files, save } = await setUp()
      await make(path)
      expect(await files.readDefinition(folder)).toMatchObject({ kind: 'faulty', fault: 'unreadable' })
      expect(await problemOf(save({ ...other, replaces: true }))).toMatchObject({
        kind: 'storage-failed',
        file: path,
      })
    }
    expect(await readFile(target, 'utf8')).toBe(text)
  },
)

test('a folder that is not there has no definition, and none is made', async () => {
  const { folder, files } = await setUp()
  const gone = join(folder, 'gone')
  expect(await files.readDefinition(gone)).toEqual({ kind: 'none', folder: gone })
  expect(await problemOf(files.saveDefinition({ ...content, folder: gone, replaces: false }))).toMatchObject({
    kind: 'storage-failed',
  })
})

test('a folder is named from the root on', async () => {
  const { files } = await setUp()
  for (const folder of ['project', './project', '', 'a\0b', '/a\0b'])
    expect(await problemOf(files.readDefinition(folder))).toMatchObject({
      kind: 'invalid-input',
      field: 'folder',
    })
})

test('what nobody could open again is not saved', async () => {
  const { path, save } = await setUp()
  let deep: unknown[] = []
  for (let level = 0; level < 100; level += 1) deep = [deep]
  const rent = {
    search: {
      filters: { gpu_name: { in: JSON.parse(JSON.stringify(deep)) } },
      order: [],
      type: 'on-demand',
      limit: 1,
    },
    ...{ image: null, diskGb: 8 },
    limits: { machines: 1, capPerHourUsd: null, bootMinutes: 5, giveUpAfterMinutes: 5 },
  }
  expect(readDefinitionFile(definitionFileText({ ...content, rent }))).toMatchObject({ ok: false })
  expect(await problemOf(save({ rent }))).toMatchObject({ kind: 'invalid-input', field: 'definition' })
  await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
})
