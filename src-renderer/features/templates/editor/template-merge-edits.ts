import {
  isSameField,
  templateContent,
  templateFields,
  type TemplateContent,
  type TemplateField,
} from '#domain/templates/template-content.ts'

/** Three states of one template: two people began to edit the same one. */
export interface TemplateEdits {
  /** What both began with. */
  readonly base: TemplateContent
  readonly mine: TemplateContent
  /** What is at the service by now. */
  readonly theirs: TemplateContent
}

export interface MergedTemplate {
  /** Both edits; mine where they clash. */
  readonly content: TemplateContent
  /** Changed by both, to different values: somebody has to choose. */
  readonly clashes: readonly TemplateField[]
  /** Changed by them only, so that theirs is taken. */
  readonly taken: readonly TemplateField[]
}

/** Puts two edits of one template together, field by field. */
export function mergeEdits({ base, mine, theirs }: TemplateEdits): MergedTemplate {
  const untouched = templateFields.filter((field) => isSameField(field, base, mine))
  const clashes = templateFields.filter(
    (field) =>
      !untouched.includes(field) && !isSameField(field, base, theirs) && !isSameField(field, mine, theirs),
  )
  return {
    content: withFieldsOf(mine, theirs, untouched),
    clashes,
    taken: untouched.filter((field) => !isSameField(field, base, theirs)),
  }
}

/** A content with some fields as they are in another one. */
export function withFieldsOf(
  content: TemplateContent,
  other: TemplateContent,
  fields: readonly TemplateField[],
): TemplateContent {
  return templateContent.parse({
    ...content,
    ...Object.fromEntries(fields.map((field) => [field, other[field]])),
  })
}
