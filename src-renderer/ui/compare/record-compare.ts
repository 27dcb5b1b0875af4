import type { FieldCatalog } from '#domain/fields/field-catalog.ts'
import {
  fieldOf,
  formatFieldWithUnit,
  unknownText,
  type Field,
  type FieldRecord,
} from '#domain/fields/field-format.ts'
import { isSecretName } from '#domain/fields/secret-field.ts'
import { headingOf } from '../field-heading.ts'
import { bestPlaces, betterWay } from './better-value.ts'

/** One field of all compared records. */
export interface ComparedRow {
  readonly field: Field
  /** With units, in the order of the records. */
  readonly texts: readonly string[]
  /** Whether they are not all shown alike. */
  readonly differs: boolean
  /** Places of the best values, where one is better than another for everybody. */
  readonly best: ReadonlySet<number>
}

export interface ComparedGroup {
  readonly name: string
  readonly rows: readonly ComparedRow[]
}

/** Records side by side: every field that one of them has, under the headings of the catalog. */
export function compareRecords(
  records: readonly FieldRecord[],
  catalog: FieldCatalog,
): readonly ComparedGroup[] {
  return catalog.grouped(catalog.present(records)).map((group) => ({
    name: headingOf(group),
    rows: group.fields.map((field) => comparedRow(field, records)),
  }))
}

function comparedRow(field: Field, records: readonly FieldRecord[]): ComparedRow {
  const values = records.map((record) => fieldOf(record, field.name))
  const texts = values.map((value) => formatFieldWithUnit(field, value))
  const way = isSecretName(field.name) ? null : betterWay(field.name)
  return {
    field,
    texts,
    differs: texts.some((text) => text !== texts[0]),
    // What is shown alike is alike: nobody could see why one of two equal prices is the better one.
    best:
      way === null
        ? new Set()
        : bestPlaces(
            values.map((value, at) => (texts[at] === unknownText ? null : comparable(value))),
            way,
            (one, other) => formatFieldWithUnit(field, one) === formatFieldWithUnit(field, other),
          ),
  }
}

function comparable(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
