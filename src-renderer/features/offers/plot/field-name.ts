import type { Field } from '#domain/fields/field-format.ts'

/** A field with its unit, as an axis is called: `VRAM (GB)`. */
export function fieldName({ label, unit }: Field): string {
  return unit === null ? label : `${label} (${unit})`
}
