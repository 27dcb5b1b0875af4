import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLicenses } from '#services/diagnostics/licenses.ts'

const hostile = '<img src=x onerror=alert(1)>\n\u001b[31m'
let folder: string
let shown: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-licenses-'))
  shown = []
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function licenses() {
  return createLicenses({
    licenseFiles: {
      packages: join(folder, 'packages.json'),
      chromium: [join(folder, 'resources.html'), join(folder, 'beside.html')],
    },
    showInFolder: (path) => shown.push(path),
  })
}

test('lists packages without their texts, and gives a text as it is', async () => {
  const one = { name: '@scope/one', version: '1.0.0', license: '(MIT OR Apache-2.0)' }
  await writeFile(join(folder, 'packages.json'), JSON.stringify([{ ...one, text: hostile }]))
  const { packages } = await licenses().list()
  expect(packages).toMatchObject([one])
  expect(await licenses().text(one)).toBe(hostile)
  await expect(licenses().text({ ...one, version: '2.0.0' })).rejects.toMatchObject({
    problem: { kind: 'invalid-input', field: 'name' },
  })
})

test('in a development run there is no list, and that is no failure', async () => {
  expect(await licenses().list()).toEqual({ packages: null, hasChromiumFile: false })
})

test('a file that is damaged is a failure, not an empty list', async () => {
  await writeFile(join(folder, 'packages.json'), '[{"name": 1}]')
  await expect(licenses().list()).rejects.toThrow('expected string')
})

test('Chromium’s licenses are shown where they lie on this system', async () => {
  await expect(licenses().showChromiumFile()).rejects.toMatchObject({ problem: { kind: 'invalid-input' } })
  await writeFile(join(folder, 'beside.html'), '')
  expect(await licenses().list()).toMatchObject({ hasChromiumFile: true })
  await licenses().showChromiumFile()
  expect(shown).toEqual([join(folder, 'beside.html')])
})
