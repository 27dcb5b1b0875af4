import type { FieldCatalog } from '#domain/fields/field-catalog.ts'
import type { Field } from '#domain/fields/field-format.ts'
import type { FilterInput, FilterOperator } from '#domain/fields/filter.ts'

/** What conditions can be about, for the rows in which they are edited. */
export interface FilterFields {
  readonly catalog: FieldCatalog
  /** Fields that came beside those of the catalog. */
  readonly present: readonly Field[]
  /** Whether a condition may be on a field of any other name, too. */
  readonly takesOtherNames: boolean
  /** The operators to choose from, the likeliest first. */
  readonly operatorsFor: (input: FilterInput) => readonly FilterOperator[]
  /** Texts that a field had so far, sorted. */
  readonly textsSeen: (field: string) => readonly string[]
}
