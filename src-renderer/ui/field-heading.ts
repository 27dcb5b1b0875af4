import type { FieldGroup } from '#domain/fields/field-catalog.ts'

/** What stands above fields that the API's document doesn't name. */
export const seenHeading = 'Seen, not documented'

/** Of fields where documented and other ones stand in one list. */
export function headingOf({ group, isDocumented }: Pick<FieldGroup, 'group' | 'isDocumented'>): string {
  return isDocumented ? group : `${group} (${seenHeading.toLowerCase()})`
}
