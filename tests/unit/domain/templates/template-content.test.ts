import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  changesBetween,
  contentOf,
  emptyContent,
  isSameContent,
  templateFields,
  withChanges,
} from '#domain/templates/template-content.ts'
import { template } from '#domain/templates/template.ts'
import { anyContent, contentWith } from '../../../support/template-arbitrary.ts'

test('an edit sends exactly the fields that differ, and they make the one into the other', () => {
  fc.assert(
    fc.property(anyContent, anyContent, (before, after) => {
      const changes = changesBetween(before, after)
      expect(isSameContent(withChanges(before, changes), after)).toBe(true)
      for (const field of templateFields) if (field in changes) expect(changes[field]).toEqual(after[field])
      expect(changesBetween(after, after)).toEqual({})
    }),
  )
})

test('flags that are written in another way, and filters in another order, are no change', () => {
  const before = contentWith({
    env: '-e A=1 -p 80:80',
    extra_filters: { a: { gte: 1, lte: 2 } },
  })
  const after = contentWith({
    env: `-e 'A=1'   -p 80:80`,
    extra_filters: { a: { lte: 2, gte: 1 } },
  })
  expect(changesBetween(before, after)).toEqual({})
  expect(changesBetween(before, contentWith({ env: '-p 80:80 -e A=1' }))).toHaveProperty('env')
})

test('what a record leaves out is as by default, and so is what has no known shape', () => {
  const record = template.parse({
    id: 1,
    hash_id: 'h',
    name: 'N',
    image: 'i',
    tag: null,
    extra_filters: 'odd',
    recommended_disk_space: 'much',
    docker_login_pass: 'canary',
    jupyter_dir: '/w',
  })
  expect(contentOf(record)).toEqual({ ...emptyContent, name: 'N', image: 'i', jupyter_dir: '/w' })
})
