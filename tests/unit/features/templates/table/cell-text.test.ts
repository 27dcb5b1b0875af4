import { expect, test } from 'vitest'
import { emptyContent } from '#domain/templates/template-content.ts'
import { templateRecordFields } from '#domain/templates/template-fields.ts'
import type { Template } from '#domain/templates/template.ts'
import { columnWidthsPx } from '#ui/table/column-width.ts'
import { cellText } from '../../../../../src-renderer/features/templates/table/cell-text.ts'

const template: Template = {
  ...emptyContent,
  ...{ id: 1, hash_id: 'a', creator_id: 2, recommended: false, default_tag: null },
  ...{ count_created: 1024, created_at: 1_767_225_600, recent_create_date: 1_793_579_400 },
}
const lastUsed = templateRecordFields.field('recent_create_date')

test('a time is shown as its day, and an unknown one as such', () => {
  expect(cellText(lastUsed, template)).toBe('2026-11-02')
  expect(cellText(lastUsed, { ...template, recent_create_date: null })).toBe('–')
})

test('the columns that are there without asking fit a window of 1,280 pixels beside the actions', () => {
  const long = { ...template, name: 'x'.repeat(90), image: 'x'.repeat(90), tag: 'x'.repeat(90) }
  const shown = templateRecordFields.fields.filter((field) => field.shown)
  const widths = columnWidthsPx(shown, [long], cellText)
  const fixedPx = { rail: 72, check: 46, actions: 100 }
  const sum = [...widths.values(), ...Object.values(fixedPx)].reduce((all, px) => all + px, 0)
  expect(sum).toBeLessThanOrEqual(1280)
})
