import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyContent } from '#domain/templates/template-content.ts'
import { longestTemplateFile, readTemplateFile, templateFileText } from '#domain/templates/template-file.ts'

test('what is written is read back as it was', () => {
  fc.assert(
    fc.property(
      fc.record({
        name: fc.string(),
        env: fc.string(),
        readme: fc.string(),
        private: fc.boolean(),
        jupyter_dir: fc.option(fc.string(), { nil: null }),
      }),
      (fields) => {
        const content = { ...emptyContent, ...fields, extra_filters: { gpu_ram: { gte: 16_000 } } }
        expect(readTemplateFile(templateFileText(content))).toEqual({
          ok: true,
          content,
          leftOut: [],
          hadToken: false,
        })
      },
    ),
  )
})

test('a template as the service returns it is taken, without what is the service’s own and without a token', () => {
  const record = {
    id: 5,
    hash_id: 'abc',
    creator_id: 7,
    name: 'N',
    image: 'ubuntu',
    tag: null,
    docker_login_pass: 'canary-token',
  }
  const read = readTemplateFile(JSON.stringify(record))
  expect(read).toEqual({
    ok: true,
    content: { ...emptyContent, name: 'N', image: 'ubuntu' },
    leftOut: ['id', 'hash_id', 'creator_id'],
    hadToken: true,
  })
  expect(JSON.stringify(read)).not.toContain('canary-token')
})

test.each([
  ['', 'The file or text is empty.'],
  ['{"name": ', /^Not valid JSON: /],
  ['[]', 'Must be one JSON object with the fields of a template.'],
  ['"x"', 'Must be one JSON object with the fields of a template.'],
  ['{"a": 1}', 'No template fields found.'],
  ['{"name": 1, "image": "x", "private": "yes"}', '“name”, “private” are not what the service takes there.'],
  [
    '{"format": "slipway-template", "version": 2, "template": {}}',
    'A newer version of Slipway wrote this file.',
  ],
  ['x'.repeat(longestTemplateFile + 1), 'Too long for a template.'],
])('“%.30s” is refused with a reason', (text, why) => {
  const read = readTemplateFile(text)
  expect(read.ok ? null : read.why).toMatch(why)
})
