import type { FieldCatalogue } from '#domain/fields/field-catalogue.ts'
import type { Field } from '#domain/fields/field-format.ts'
import type { FilterInput, FilterOperator } from '#domain/fields/filter.ts'

/** What conditions can be about, for the rows in which they are edited. */
export interface FilterFields {
  readonly catalogue: FieldCatalogue
  /** Fields that came beside those of the catalogue. */
  readonly present: readonly Field[]
  /** Whether a condition may be on a field of any other name, too. */
  readonly takesOtherNames: boolean
  /** The operators to choose from, the likeliest first. */
  readonly operatorsFor: (input: FilterInput) => readonly FilterOperator[]
  /** Texts that a field had so far, sorted. */
  readonly textsSeen: (field: string) => readonly string[]
}
