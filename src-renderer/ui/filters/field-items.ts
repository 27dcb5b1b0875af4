import { headingOf } from '../field-heading.ts'
import type { FilterFields } from './filter-fields.ts'

export interface FieldItem {
  readonly type?: 'label'
  readonly label: string
  readonly value?: string
  /** The service's own name, for those who know it better than the label. */
  readonly description?: string
}

/** Fields to choose from, under their headings: those of the catalog, those that came, and one that is typed. */
export function fieldItems(
  { catalog, present }: Pick<FilterFields, 'catalog' | 'present'>,
  chosen: string,
): FieldItem[][] {
  const names = new Set([...catalog.fields, ...present].map(({ name }) => name).concat(chosen))
  names.delete('')
  return catalog.grouped([...names].map((name) => catalog.field(name))).map((group) => [
    { type: 'label', label: headingOf(group) },
    ...group.fields.map(({ name, label }) => ({
      label,
      value: name,
      ...(label !== name && { description: name }),
    })),
  ])
}
