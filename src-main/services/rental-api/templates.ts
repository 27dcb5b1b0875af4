import { z } from 'zod'
import type { Filters } from '../../domain/fields/filter.ts'
import {
  emptyContent,
  isSameField,
  type TemplateChanges,
  type TemplateContent,
} from '../../domain/templates/template-content.ts'
import { hiddenSwitches } from '../../domain/templates/template-runtype.ts'
import { template, type Template } from '../../domain/templates/template.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import { problemWithout } from './echoed-secrets.ts'
import type { RecordList } from '../../domain/rental-api/unreadable-record.ts'
import type { Http, HttpRequest } from './http.ts'
import { recordList, wholeList } from './record-list.ts'

const path = '/api/v0/template/'

/** The password of a template's registry stays here, should the service ever send it. */
function withoutToken<T extends Readonly<Record<string, unknown>>>({
  docker_login_pass: _secret,
  ...rest
}: T) {
  return rest
}
function hasToken(record: unknown): record is Readonly<Record<string, unknown>> {
  return typeof record === 'object' && record !== null && Object.hasOwn(record, 'docker_login_pass')
}
const safeTemplate = z.preprocess((record) => (hasToken(record) ? withoutToken(record) : record), template)
const searchReply = z.looseObject({ templates: recordList(safeTemplate) })
const createReply = z.looseObject({
  template: z.looseObject({ id: template.shape.id, hash_id: template.shape.hash_id }),
})
const editReply = z.looseObject({ template: z.looseObject({ hash_id: template.shape.hash_id }) })

/**
 * Templates that fit all filters (service API 4.5). Needs the permission `user_read`. What was asked for by its creator
 * says who that is, also where the reply leaves it out.
 */
export async function searchTemplates(
  http: Http,
  filters: Filters,
  signal?: AbortSignal,
): Promise<RecordList<Template>> {
  const query = new URLSearchParams({ select_filters: JSON.stringify(filters) })
  const { templates } = await http.send({
    method: 'GET',
    path: `${path}?${query.toString()}`,
    reply: searchReply,
    permission: 'user_read',
    repeatable: true,
    ...(signal && { signal }),
  })
  const creatorId = filters['creator_id']?.['eq']
  if (typeof creatorId !== 'number') return templates
  const records = templates.records.map((one) => ({ ...one, creator_id: one.creator_id ?? creatorId }))
  return { ...templates, records }
}

/**
 * All templates that fit, for whoever concludes something from one that isn't there.
 *
 * @throws ProblemError `bad-reply` when one can't be read
 */
export async function searchAllTemplates(http: Http, filters: Filters): Promise<readonly Template[]> {
  return wholeList(await searchTemplates(http, filters))
}

/** The template with this numeric id; `null` when the account can see none. */
export async function findTemplate(http: Http, id: number): Promise<Template | null> {
  const found = await searchAllTemplates(http, { id: { eq: id } })
  return found.find((one) => one.id === id) ?? null
}

/**
 * The same, and whether it is the account's own: the service is asked for that where its reply leaves the creator out.
 *
 * @param userId the service's id of the account
 */
export async function findTemplateWithCreator(
  http: Http,
  id: number,
  userId: number,
): Promise<Template | null> {
  const found = await findTemplate(http, id)
  if (found === null || typeof found.creator_id === 'number') return found
  const own = await searchAllTemplates(http, { id: { eq: id }, creator_id: { eq: userId } })
  return own.find((one) => one.id === id) ?? found
}

/** What the service says of it never repeats the token. */
async function sendWithToken<T>(http: Http, token: string | null, request: HttpRequest<T>): Promise<T> {
  try {
    return await http.send(request)
  } catch (error) {
    if (token === null || token === '' || !(error instanceof ProblemError)) throw error
    throw problemWithout(error.problem, [token])
  }
}

/**
 * Creates a template (service API 4.5). Sent once. Switches that do not matter to its run type and were not set are left
 * to the service, and so is what says nothing.
 *
 * @param token of the registry; `null` for none, which the service wants as an empty text (service API 2.2)
 */
export async function createTemplate(
  http: Http,
  content: TemplateContent,
  token: string | null,
): Promise<Template> {
  const unused = hiddenSwitches(content.runtype).filter((field) => isSameField(field, content, emptyContent))
  const said = Object.entries(content).filter(
    ([field, value]) => value !== null && !unused.some((one) => one === field),
  )
  const { template: made } = await sendWithToken(http, token, {
    method: 'POST',
    path,
    body: { ...Object.fromEntries(said), docker_login_pass: token ?? '' },
    reply: createReply,
    repeatable: false,
  })
  return template.parse(withoutToken({ ...content, ...made }))
}

/**
 * Changes fields of a template (service API 4.5); its hash id is another one afterwards. Sent once.
 *
 * @param before the template as it is, whose hash id names it
 * @param token a new one for the registry; empty removes the one that is there, `null` leaves it
 */
export async function editTemplate(
  http: Http,
  before: Template,
  changes: TemplateChanges,
  token: string | null,
): Promise<Template> {
  const { template: edited } = await sendWithToken(http, token, {
    method: 'PUT',
    path,
    body: { hash_id: before.hash_id, ...changes, ...(token !== null && { docker_login_pass: token }) },
    reply: editReply,
    repeatable: false,
  })
  return template.parse(withoutToken({ ...before, ...changes, ...edited }))
}

/** Deletes a template by its numeric id (service API 4.5). Sent once. */
export async function deleteTemplate(http: Http, id: number): Promise<void> {
  await http.send({
    method: 'DELETE',
    path,
    body: { template_id: id },
    reply: z.looseObject({ success: z.literal(true) }),
    repeatable: false,
  })
}
