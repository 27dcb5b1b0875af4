import { z } from 'zod'
import { readEnvFlags, writeEnvFlags } from '../renting/env-flags.ts'
import { envRowContent, problemsOf, readTemplateRow, rowOf, type EnvReading } from '../renting/env-rows.ts'
import { filterOperators } from '../fields/filter.ts'
import { draftOfFilters, filtersOfDraft } from '../fields/filter-row.ts'
import { isSameJson, parseJson } from '../base/json-value.ts'
import { offerFields } from '../offers/offer-fields.ts'
import { tokenHint, tokenProblem, type DraftToken } from './registry-token.ts'
import {
  emptyContent,
  templateContent,
  templateFields,
  type TemplateChanges,
  type TemplateContent,
  type TemplateField,
} from './template-content.ts'
import { hintOfField } from './template-hints.ts'
import { hiddenSwitches, runtypes } from './template-runtype.ts'
import { defaultTag } from './template.ts'
import { typedNumber } from '../renting/typed-number.ts'

/** Variables and ports as rows or as flags: of the two views, the one in sight is edited. */
const envForm = z.discriminatedUnion('view', [
  z.object({ view: z.literal('rows'), rows: z.array(envRowContent).readonly() }),
  z.object({ view: z.literal('flags'), flags: z.string() }),
])
export type EnvForm = z.infer<typeof envForm>

const filterForm = z.object({
  rows: z
    .array(
      z.object({
        field: z.string(),
        operator: z.enum(filterOperators),
        values: z.array(z.string()).readonly(),
      }),
    )
    .readonly(),
  json: z.string(),
})

/**
 * A template as it is typed: what makes no sense yet stays as it stands. The registry's access token is not part of
 * it, because a form is kept on the disk.
 */
export const templateForm = z.object({
  name: z.string(),
  image: z.string(),
  tag: z.string(),
  desc: z.string(),
  readme: z.string(),
  env: envForm,
  onstart: z.string(),
  runtype: z.string(),
  args_str: z.string(),
  ssh_direct: z.boolean(),
  use_ssh: z.boolean(),
  jup_direct: z.boolean(),
  /** Empty for none. */
  jupyter_dir: z.string(),
  use_jupyter_lab: z.boolean(),
  docker_login_repo: z.string(),
  docker_login_user: z.string(),
  href: z.string(),
  repo: z.string(),
  extra_filters: filterForm,
  /** GB. */
  recommended_disk_space: z.string(),
  private: z.boolean(),
  /** An object as JSON; empty for none. */
  volume_info: z.string(),
})
export type TemplateForm = z.infer<typeof templateForm>

/** What is wrong with each field, in words. */
export type FieldProblems = Readonly<Partial<Record<TemplateField | 'token', string>>>

export interface ReadForm {
  /** What the form stands for; where it makes no sense, what the field was before. */
  readonly content: TemplateContent
  readonly problems: FieldProblems
  /** What is likely wrong with the others, which stops nothing. */
  readonly hints: FieldProblems
}

/** The form in which a template is edited. */
export function formOf(content: TemplateContent): TemplateForm {
  return {
    ...content,
    env: { view: 'rows', rows: readEnvFlags(content.env).map(rowOf) },
    jupyter_dir: content.jupyter_dir ?? '',
    extra_filters: draftOfFilters(content.extra_filters, offerFields),
    recommended_disk_space: String(content.recommended_disk_space),
    volume_info: content.volume_info === null ? '' : JSON.stringify(content.volume_info, null, 2),
  }
}

/** The form of a new template. */
export const newTemplateForm: TemplateForm = formOf(emptyContent)

/**
 * What a form stands for, and what is wrong with it. What was not touched is exactly as it was, and is not looked
 * at: it would not be sent. Nor are switches that do not matter to the run type.
 *
 * @param base what the template says now; `null` for a new one
 * @param token what is known of the registry's token
 * @param initial what a new one says where nothing was typed, such as switches that its run type hides
 */
export function readForm(
  form: TemplateForm,
  base: TemplateContent | null,
  token: DraftToken,
  initial = emptyContent,
): ReadForm {
  const before = base ?? initial
  const asBefore = formOf(before)
  const visible = templateFields.filter((field) => !hiddenSwitches(form.runtype).includes(field))
  const touched = visible.filter((field) => !isSameJson(form[field], asBefore[field]))
  const typed = readTyped(form)
  const content = templateContent.parse({
    ...before,
    ...Object.fromEntries(
      touched.flatMap((field) => (field in typed.values ? [[field, typed.values[field]]] : [])),
    ),
  })
  const looked = base === null ? visible : touched
  const found = looked.flatMap((field) => {
    const problem = typed.problems[field] ?? problemOfField(field, content)
    return problem === null ? [] : [[field, problem] as const]
  })
  const ofToken = tokenProblem(token)
  const problems = { ...Object.fromEntries(found), ...(ofToken !== null && { token: ofToken }) }
  const hintOfToken = tokenHint(content, { token, isNew: base === null })
  const hints = looked.flatMap((field) => {
    const hint = field in problems ? null : hintOfField(field, content)
    return hint === null ? [] : [[field, hint] as const]
  })
  return {
    content,
    problems,
    hints: { ...Object.fromEntries(hints), ...(hintOfToken !== null && { token: hintOfToken }) },
  }
}

interface Typed {
  /** What was understood. */
  readonly values: TemplateChanges
  /** Why the others were not. */
  readonly problems: Readonly<Partial<Record<TemplateField, string>>>
}

function readTyped(form: TemplateForm): Typed {
  const line = (text: string): string => text.trim()
  const env = readEnv(form.env)
  const filters = filtersOfDraft(form.extra_filters, offerFields)
  const hint = readHint(form.volume_info)
  const disk = typedNumber(form.recommended_disk_space)
  return {
    values: {
      name: line(form.name),
      image: line(form.image),
      tag: line(form.tag) || defaultTag,
      desc: form.desc,
      readme: form.readme,
      ...(env.problem === null && { env: env.flags }),
      onstart: form.onstart,
      runtype: form.runtype,
      args_str: form.args_str,
      ssh_direct: form.ssh_direct,
      use_ssh: form.use_ssh,
      jup_direct: form.jup_direct,
      jupyter_dir: line(form.jupyter_dir) || null,
      use_jupyter_lab: form.use_jupyter_lab,
      docker_login_repo: line(form.docker_login_repo),
      docker_login_user: line(form.docker_login_user),
      href: line(form.href),
      repo: line(form.repo),
      ...(filters.ok && { extra_filters: filters.filters }),
      ...(disk !== null && { recommended_disk_space: disk }),
      private: form.private,
      ...(hint.ok && { volume_info: hint.value }),
    },
    problems: {
      ...(env.problem !== null && { env: env.problem }),
      ...(!filters.ok && { extra_filters: 'Correct or remove the marked filters.' }),
      ...(disk === null && { recommended_disk_space: diskHint }),
      ...(!hint.ok && {
        volume_info: 'Enter a JSON object, such as {"mount_path": "/data"}, or leave this empty.',
      }),
    },
  }
}

function readEnv(form: EnvForm): { readonly flags: string; readonly problem: string | null } {
  const readings: readonly EnvReading[] =
    form.view === 'rows'
      ? form.rows.map(readTemplateRow)
      : readEnvFlags(form.flags).map(rowOf).map(readTemplateRow)
  const problem = problemsOf(readings).find((one) => one !== null) ?? null
  const flags = writeEnvFlags(readings.flatMap((reading) => reading?.item ?? []))
  return { flags, problem }
}

function readHint(
  text: string,
): { readonly ok: true; readonly value: TemplateContent['volume_info'] } | { readonly ok: false } {
  if (text.trim() === '') return { ok: true, value: null }
  const parsed = templateContent.shape.volume_info.safeParse(parseJson(text))
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false }
}

const diskHint = 'Enter a size above 0 GB.'

/**
 * What is wrong with one field of a template that is about to be sent, and nothing that the service does not ask for
 * (service API 2.2); `null` for nothing. What is likely wrong is a hint: see `hintOfField`.
 */
function problemOfField(field: TemplateField, content: TemplateContent): string | null {
  switch (field) {
    case 'name':
      return content.name === '' ? 'Enter a name.' : null
    case 'image':
      return content.image === '' ? 'Enter a container image, such as ubuntu.' : null
    case 'runtype':
      return runtypes.some((runtype) => runtype === content.runtype)
        ? null
        : `Choose one of ${runtypes.join(', ')}.`
    case 'recommended_disk_space':
      return content.recommended_disk_space > 0 ? null : diskHint
    default:
      return null
  }
}
