import fc from 'fast-check'
import { format, resolveConfig } from 'prettier'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { definitionFile, definitionFileText } from '#domain/jobs/definition-file.ts'
import { anyDefinitionContent } from './job-arbitrary.ts'

const path = fileURLToPath(new URL('../../../docs/slipway.schema.json', import.meta.url))

/** What editors are told: draft 7, which VS Code knows best. A slip of the finger is a field that isn't in it. */
const schema = z.toJSONSchema(definitionFile, {
  target: 'draft-7',
  io: 'input',
  override: ({ jsonSchema }) => {
    // Says that editors shouldn't let it be changed.
    delete jsonSchema.readOnly
    if (jsonSchema.properties !== undefined) jsonSchema.additionalProperties = false
  },
})

test('the schema for editors is in step with what Slipway reads; `vitest run -u` on this file writes it anew', async () => {
  const text = JSON.stringify({ title: 'Slipway job definition', ...schema })
  const formatted = await format(text, { ...(await resolveConfig(path)), filepath: path })
  await expect(formatted).toMatchFileSnapshot(path)
})

test('every field that is typed is explained', () => {
  const unexplained: string[] = []
  const visit = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return
    if ('properties' in value && value.properties !== null)
      for (const [name, field] of Object.entries(value.properties as object))
        if (!/^[A-Zn].*\.$/s.test(String((field as { description?: string }).description)))
          unexplained.push(`${at}${name}`)
    for (const [name, part] of Object.entries(value)) visit(part, `${at}${name}.`)
  }
  visit(schema, '')
  expect(unexplained).toEqual([])
})

test('whatever Slipway saves, editors find nothing wrong with', () => {
  const asRead = z.fromJSONSchema(schema)
  fc.assert(
    fc.property(anyDefinitionContent, (content) => {
      expect(asRead.safeParse(JSON.parse(definitionFileText(content))).error).toBeUndefined()
    }),
  )
  const least = { version: 1, name: 'Train', command: 'sh train.sh' }
  expect(asRead.safeParse(least).success).toBe(true)
  for (const wrong of [{ version: 2 }, { fetchs: ['out/'] }, { send: { exclud: [] } }, { then: 'explode' }])
    expect(asRead.safeParse({ ...least, ...wrong }).success).toBe(false)
})
