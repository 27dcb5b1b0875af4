import { z } from 'zod'
import { plural } from '../base/plural.ts'
import { emptyContent, templateContent, templateFields, type TemplateContent } from './template-content.ts'

/** What tells such a file from others. */
const fileFormat = 'slipway-template'

/** Longest file that is read, in UTF-16 units: more than any template may say. */
export const longestTemplateFile = 5_000_000

/** A template as a file, in the service's own field names. It never holds a registry's access token. */
export function templateFileText(content: TemplateContent): string {
  return `${JSON.stringify({ format: fileFormat, version: 1, template: templateContent.parse(content) }, null, 2)}\n`
}

export type ReadTemplateFile =
  | {
      readonly ok: true
      readonly content: TemplateContent
      /** Names in the file that no template of ours has, such as those that the service gives itself. */
      readonly leftOut: readonly string[]
      /** Whether a registry's token stood in it, which is not taken over. */
      readonly hadToken: boolean
    }
  | { readonly ok: false; readonly why: string }

const envelope = z.object({
  format: z.literal(fileFormat),
  version: z.literal(1, { error: 'A newer version of Slipway wrote this file.' }),
  template: z.record(z.string(), z.unknown()),
})
const anyRecord = z.record(z.string(), z.unknown())
const tokenField = 'docker_login_pass'

/**
 * Reads such a file, or a template as the service returns it. Fields that are missing, or null, are as the service would fill them;
 * one of a wrong type refuses the file, as nothing must be guessed about what is to be run.
 */
export function readTemplateFile(text: string): ReadTemplateFile {
  if (text.trim() === '') return { ok: false, why: 'The file or text is empty.' }
  if (text.length > longestTemplateFile) return { ok: false, why: 'Too long for a template.' }
  const json = parseJson(text)
  if (!json.ok) return json
  const record = recordOf(json.value)
  if (!record.ok) return record
  const given = Object.entries(record.fields)
  const named = given.filter(([field, value]) => isField(field) && value !== null)
  if (named.length === 0) return { ok: false, why: 'No template fields found.' }
  const parsed = templateContent.partial().safeParse(Object.fromEntries(named))
  if (!parsed.success) return { ok: false, why: wrongFields(parsed.error) }
  return {
    ok: true,
    content: templateContent.parse({ ...emptyContent, ...parsed.data }),
    leftOut: given.map(([field]) => field).filter((field) => !isField(field) && field !== tokenField),
    hadToken: given.some(([field, value]) => field === tokenField && value !== '' && value !== null),
  }
}

function isField(name: string): boolean {
  return templateFields.some((field) => field === name)
}

function parseJson(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string } {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return {
      ok: false,
      why: `Not valid JSON: ${error instanceof Error ? error.message : 'it ends too early'}.`,
    }
  }
}

function recordOf(
  value: unknown,
):
  | { readonly ok: true; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly why: string } {
  const bare = anyRecord.safeParse(value)
  if (!bare.success) return { ok: false, why: 'Must be one JSON object with the fields of a template.' }
  if (bare.data['format'] !== fileFormat) return { ok: true, fields: bare.data }
  const enclosed = envelope.safeParse(value)
  if (enclosed.success) return { ok: true, fields: enclosed.data.template }
  return { ok: false, why: enclosed.error.issues[0]?.message ?? 'No template found.' }
}

function wrongFields({ issues }: z.ZodError): string {
  const fields = [...new Set(issues.map(({ path }) => `“${String(path[0])}”`))]
  return `${fields.join(', ')} ${plural(fields.length, 'is', 'are')} not what the service takes there.`
}
