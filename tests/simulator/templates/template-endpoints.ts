import { z } from 'zod'
import { badRequest, parsePart } from '../api-error.ts'
import type { Clock } from '../clock.ts'
import { type Endpoint, keyedEndpoint, noBody, noParams, noQuery } from '../endpoint.ts'
import { filtersShape, parseFilters } from '../offers/filters.ts'
import { parseJson } from '../json.ts'
import {
  checkExtraFilters,
  newTemplateBody,
  TEMPLATE_SEARCH_FIELDS,
  templateEditBody,
} from './template-fields.ts'
import { templateRecord, type Templates } from './templates.ts'

const path = '/api/v0/template/'

/** The template endpoints (service API 4.5). */
export function templateEndpoints(templates: Templates, clock: Clock): readonly Endpoint[] {
  return [
    keyedEndpoint({
      method: 'GET',
      path,
      access: 'user_read',
      params: noParams,
      query: z.strictObject({ select_filters: z.string().optional() }),
      body: noBody,
      answer({ caller, query: { select_filters: text = '{}' } }) {
        const part = 'query.select_filters'
        const wanted = parsePart(part, filtersShape, parseJson(text, part))
        const isWanted = parseFilters(part, wanted, TEMPLATE_SEARCH_FIELDS, { ordersBooleans: true })
        return { templates: templates.visibleTo(caller.account).map(templateRecord).filter(isWanted) }
      },
    }),
    keyedEndpoint({
      method: 'POST',
      path,
      access: 'misc',
      params: noParams,
      query: noQuery,
      body: newTemplateBody,
      answer({ caller, body: fields }) {
        checkExtraFilters(fields.extra_filters)
        const template = templates.create({
          fields,
          creatorId: caller.account.id,
          createdAt: clock.nowSeconds(),
          defaultTag: 'latest',
          isRecommended: false,
          countCreated: 0,
          recentCreateDate: null,
        })
        return { template: templateRecord(template) }
      },
    }),
    keyedEndpoint({
      method: 'PUT',
      path,
      access: 'misc',
      params: noParams,
      query: noQuery,
      body: templateEditBody,
      answer({ caller, body: { hash_id: hashId, ...changes } }) {
        if (Object.keys(changes).length === 0) throw badRequest('body: there is no field to change')
        checkExtraFilters(changes.extra_filters)
        return { template: templateRecord(templates.edit(caller.account, hashId, changes)) }
      },
    }),
    keyedEndpoint({
      method: 'DELETE',
      path,
      access: 'misc',
      params: noParams,
      query: noQuery,
      body: z.strictObject({ template_id: z.int().positive() }),
      answer({ caller, body }) {
        templates.delete(caller.account, body.template_id)
        return { success: true }
      },
    }),
  ]
}
