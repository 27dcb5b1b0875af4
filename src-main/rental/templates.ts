import { z } from 'zod'
import type { Filters } from '../domain/filter.ts'
import { template, type Template } from '../domain/template.ts'
import type { Http } from './http.ts'

/** The password of a template's registry stays here, should the service ever send it. */
const safeTemplate = template.transform(({ docker_login_pass: _secret, ...rest }): Template => rest)
const reply = z.looseObject({ templates: z.array(safeTemplate) })

/** Templates that fit all filters (service API 4.5). Needs the permission `user_read`. */
export async function searchTemplates(
  http: Http,
  filters: Filters,
  signal?: AbortSignal,
): Promise<Template[]> {
  const query = new URLSearchParams({ select_filters: JSON.stringify(filters) })
  const { templates } = await http.send({
    method: 'GET',
    path: `/api/v0/template/?${query.toString()}`,
    reply,
    repeatable: true,
    ...(signal && { signal }),
  })
  return templates
}
