import { expect, test } from 'vitest'
import { fieldText } from '#domain/fields/field-format.ts'
import { templateRecordFields } from '#domain/templates/template-fields.ts'
import { columnWidthsPx } from '#ui/table/column-width.ts'

const name = templateRecordFields.field('name')

function widthFor(...names: readonly string[]): number {
  return (
    columnWidthsPx(
      [name],
      names.map((each) => ({ name: each })),
      fieldText,
    ).get('name') ?? 0
  )
}

test('of a few rows, the longest is seen whole', () => {
  expect(widthFor('Other', 'My trainer')).toBe(widthFor('My trainer', 'My trainer'))
  expect(widthFor('Other', 'My trainer', 'x')).toBe(widthFor('My trainer'))
})

test('of many, a few very long ones make no column wide', () => {
  const many = Array.from({ length: 100 }, () => 'Other')
  expect(widthFor(...many, 'x'.repeat(90))).toBe(widthFor('Other'))
  expect(widthFor('x'.repeat(9000))).toBe(220)
})

test('without a row, the head is seen whole', () => {
  expect(widthFor()).toBeGreaterThan('Name'.length * 7)
})
