import fc from 'fast-check'
import { expect, test } from 'vitest'
import { definitionFileText, readDefinitionFile } from '#domain/jobs/definition-file.ts'
import { longestDefinition } from '#domain/jobs/job-definition.ts'
import { anyDefinitionContent } from '../../jobs/job-arbitrary.ts'

const smallest = { version: 1, name: 'Train', command: 'sh train.sh' }
const read = (file: object) => readDefinitionFile(JSON.stringify(file))
const rent = {
  search: { filters: { gpu_ram: { gte: 24_000 } } },
  diskGb: 20,
  limits: { machines: 3, capPerHourUsd: 0.5, bootMinutes: 15, giveUpAfterMinutes: 60 },
}

test('whatever is saved is read again as it was, and saved again as the same text', () => {
  fc.assert(
    fc.property(anyDefinitionContent, (content) => {
      const text = definitionFileText(content)
      expect(text.startsWith('{\n  "$schema": "https://')).toBe(true)
      const again = readDefinitionFile(text)
      expect(again).toMatchObject({ ok: true, content, unknown: [] })
      if (again.ok) expect(definitionFileText(again.content, again.schema)).toBe(text)
    }),
  )
})

test('a name and a command are enough; nothing of the instance is destroyed unless the file says so', () => {
  expect(read(smallest)).toEqual({
    ok: true,
    content: {
      definition: {
        name: 'Train',
        command: 'sh train.sh',
        send: { honorGitignore: true, exclude: [] },
        fetch: [],
        then: 'keep',
        stopAfterMinutes: null,
      },
      rent: null,
    },
    unknown: [],
    schema: null,
  })
})

test('a search for offers takes what it needs besides from defaults', () => {
  expect(read({ ...smallest, rent })).toMatchObject({
    content: {
      rent: {
        search: { filters: { gpu_ram: { gte: 24_000 } }, order: [], type: 'on-demand', limit: 100 },
        image: null,
      },
    },
  })
})

test('where editors find the schema stays as the file said it', () => {
  const own = read({ $schema: './slipway.schema.json', ...smallest })
  if (!own.ok) return expect.unreachable()
  expect(own.schema).toBe('./slipway.schema.json')
  expect(definitionFileText(own.content, own.schema)).toContain('"$schema": "./slipway.schema.json"')
})

test('fields that nobody knows are left out and told, wherever they are', () => {
  const told = read({
    ...smallest,
    fetchs: ['out/'],
    send: { exclud: [] },
    rent: { ...rent, env: { A: 'b' } },
  })
  expect(told).toMatchObject({ ok: true, unknown: ['fetchs', 'send.exclud', 'rent.env'] })
  expect(JSON.stringify(told)).not.toContain('"A"')
})

test.each([
  ['no JSON', '{"version": 1,', 'not-json', ''],
  ['nothing', '', 'not-json', ''],
  ['a list', '[]', 'unfit', ''],
  ['a number', '7', 'unfit', ''],
  ['a newer version', '{"version": 2, "tasks": []}', 'newer', ''],
  ['no version', '{"name": "a", "command": "b"}', 'unfit', 'version'],
  ['version 0', '{"version": 0, "name": "a", "command": "b"}', 'unfit', 'version'],
  ['a version in words', '{"version": "1", "name": "a", "command": "b"}', 'unfit', 'version'],
])('%s is refused', (_what, text, fault, path) => {
  expect(readDefinitionFile(text)).toEqual({ ok: false, fault, path })
})

test.each([
  [{ name: ' ' }, 'name'],
  [{ name: 'a'.repeat(101) }, 'name'],
  [{ command: ' \n' }, 'command'],
  [{ command: 'a\0b' }, 'command'],
  [{ command: ['rm', '-rf'] }, 'command'],
  [{ send: null }, 'send'],
  [{ send: { exclude: ['ok', 'a\nb'] } }, 'send.exclude.1'],
  [{ send: { exclude: ['ok', '!.env'] } }, 'send.exclude.1'],
  [{ send: { exclude: [' !.env'] } }, 'send.exclude.0'],
  [{ fetch: ['out/', '../../etc/passwd'] }, 'fetch.1'],
  [{ fetch: ['/etc/passwd'] }, 'fetch.0'],
  [{ fetch: ['!out'] }, 'fetch.0'],
  [{ fetch: 'out' }, 'fetch'],
  [{ then: 'explode' }, 'then'],
  [{ stopAfterMinutes: 0 }, 'stopAfterMinutes'],
  [{ stopAfterMinutes: 1e9 }, 'stopAfterMinutes'],
  [{ rent: { ...rent, diskGb: -1 } }, 'rent.diskGb'],
  [{ rent: { ...rent, limits: { ...rent.limits, machines: 1000 } } }, 'rent.limits.machines'],
  [{ rent: { ...rent, search: { filters: { limit: { eq: 1 } } } } }, 'rent.search.filters'],
])('what does not fit is named by its place: %j', (change, path) => {
  expect(read({ ...smallest, ...change })).toEqual({ ok: false, fault: 'unfit', path })
})

test('a file beyond its bounds is refused before anything is made of it', () => {
  const text = JSON.stringify(smallest)
  expect(readDefinitionFile(text.padEnd(longestDefinition + 1))).toMatchObject({ fault: 'too-long' })
  expect(readDefinitionFile(text.padEnd(longestDefinition))).toMatchObject({ ok: true })
  const nested = '['.repeat(400_000)
  expect(readDefinitionFile(`{"version":1,"name":${nested}`)).toMatchObject({ fault: 'unfit' })
  const long = `[${'1,'.repeat(400_000)}1]`
  expect(readDefinitionFile(`{"version":1,"fetch":${long}}`)).toMatchObject({ fault: 'unfit', path: '' })
})

test('a name that means something to JavaScript means nothing here', () => {
  const text = `{"version":1,"name":"a","command":"b","__proto__":{"then":"destroy"},"send":{"__proto__":{"exclude":["x"]}},
    "constructor":{"prototype":{"polluted":true}}}`
  const told = readDefinitionFile(text)
  if (!told.ok) return expect.unreachable()
  expect(told.content.definition.then).toBe('keep')
  expect(told.content.definition.send.exclude).toEqual([])
  expect(told.unknown).toEqual(['__proto__', 'send.__proto__', 'constructor'])
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('of a flood of unknown or long names few and short ones are told', () => {
  const names = Array.from({ length: 5000 }, (_, at) => `"${'x'.repeat(150)}${at}":1`)
  const told = readDefinitionFile(`${JSON.stringify(smallest).slice(0, -1)},${names.join(',')}}`)
  if (!told.ok) return expect.unreachable()
  expect(told.unknown).toHaveLength(20)
  expect(Math.max(...told.unknown.map((path) => path.length))).toBe(100)
})

test('no unknown name shows otherwise than it is written', () => {
  expect(read({ ...smallest, 'a\nb\u202Ec\0': 1 })).toMatchObject({ unknown: ['a\uFFFDb\uFFFDc\uFFFD'] })
})

test('no text at all makes it fail otherwise than by a fault', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const told = readDefinitionFile(text)
      if (!told.ok) expect(told.fault).not.toBe('unreadable')
    }),
  )
})
