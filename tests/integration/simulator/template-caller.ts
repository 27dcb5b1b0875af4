import { z } from 'zod'
import type { Simulator } from '../../simulator/simulator.ts'
import { type Answer, call } from './caller.ts'

type Caller = Pick<Simulator, 'baseUrl' | 'key'>

export const TEMPLATES = '/api/v0/template/'

const templateRecord = z.looseObject({ id: z.int(), hash_id: z.string(), name: z.string() })
export type TemplateRecord = z.output<typeof templateRecord>

/** The fields that every template needs. */
export const REQUIRED = {
  name: 'Mine',
  image: 'ubuntu',
  docker_login_repo: '',
  docker_login_user: '',
  docker_login_pass: '',
} as const

/** A fresh account, whose requests disturb nobody else's. */
export function newAccount(
  simulator: Simulator,
  options: Parameters<Simulator['account']>[1] = {},
): Caller & { readonly key: string } {
  return { baseUrl: simulator.baseUrl, key: simulator.account('default', options).key }
}

/** Makes a template, and fails if it is refused. */
export async function createTemplate(caller: Caller, fields: object = {}): Promise<TemplateRecord> {
  const answer = await call(caller, 'POST', TEMPLATES, { body: { ...REQUIRED, ...fields } })
  return z.object({ template: templateRecord }).parse(answer.body).template
}

export const searchTemplates = (caller: Caller, filters: unknown): Promise<Answer> =>
  call(caller, 'GET', `${TEMPLATES}?select_filters=${encodeURIComponent(JSON.stringify(filters))}`)

/** What a search finds, and fails if it is refused. */
export async function findTemplates(
  caller: Caller,
  filters: object = {},
): Promise<readonly TemplateRecord[]> {
  const { body } = await searchTemplates(caller, filters)
  return z.strictObject({ templates: z.array(templateRecord) }).parse(body).templates
}

/** Edits a template, and fails if it is refused. */
export async function editTemplate(caller: Caller, body: object): Promise<TemplateRecord> {
  const answer = await call(caller, 'PUT', TEMPLATES, { body })
  return z.object({ template: templateRecord }).parse(answer.body).template
}
