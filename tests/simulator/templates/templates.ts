import type { Account } from '../accounts.ts'
import { ApiError } from '../api-error.ts'
import { hashOf, type TemplateChanges, type TemplateFields, withChanges } from './template-fields.ts'

/** A bundle of defaults for creating instances (service API 2.2). */
export interface Template {
  readonly id: number
  /** Derived from the content, so it is another one after every edit. */
  readonly hashId: string
  readonly creatorId: number
  readonly fields: TemplateFields
  readonly defaultTag: string
  readonly isRecommended: boolean
  /** Seconds since the epoch. */
  readonly createdAt: number
  readonly countCreated: number
  /** When the last instance was created from it, in seconds since the epoch; null if none was. */
  readonly recentCreateDate: number | null
}

/** What somebody puts into a template, or the catalog. */
export type NewTemplate = Omit<Template, 'id' | 'hashId'>

/** All templates of all accounts. */
export interface Templates {
  /** The account's own templates and the public ones of others, the oldest first. */
  visibleTo(account: Account): readonly Template[]
  /** The template with this `hash_id`; a 404 if the account can see none. */
  find(account: Account, hashId: string): Template
  create(template: NewTemplate): Template
  /** Changes one of the account's templates. */
  edit(account: Account, hashId: string, changes: TemplateChanges): Template
  /** Deletes one of the account's templates. */
  delete(account: Account, id: number): void
  /** Notes that an instance was created from it. */
  countInstance(id: number, nowSeconds: number): void
}

const FIRST_ID = 180_001

export function createTemplates(catalog: readonly NewTemplate[]): Templates {
  const templates = new Map<number, Template>()
  let nextId = FIRST_ID

  function create(template: NewTemplate): Template {
    const created = { ...template, id: nextId++, hashId: hashOf(template.creatorId, template.fields) }
    templates.set(created.id, created)
    return created
  }

  const isVisible = (account: Account) => (template: Template) =>
    template.creatorId === account.id || !template.fields.private
  const noTemplate = (what: string): ApiError => new ApiError(404, 'no_such_template', `there is no ${what}`)

  /** Of templates with one content, which are alike but for their ids, the oldest. */
  const withHash = (account: Account, hashId: string): Template | undefined =>
    [...templates.values()].find((each) => each.hashId === hashId && isVisible(account)(each))

  catalog.forEach(create)
  return {
    visibleTo: (account) => [...templates.values()].filter(isVisible(account)),
    find(account, hashId) {
      const template = withHash(account, hashId)
      if (template !== undefined) return template
      const hint = /^\d+$/.test(hashId) ? '; a numeric id is not accepted here' : ''
      throw noTemplate(`template with the hash_id ${hashId}${hint}`)
    },
    create,
    edit(account, hashId, changes) {
      const template = withHash(account, hashId)
      if (template?.creatorId !== account.id) {
        throw noTemplate(`template of this account with the hash_id ${hashId}`)
      }
      const fields = withChanges(template.fields, changes)
      const edited = { ...template, fields, hashId: hashOf(account.id, fields) }
      templates.set(template.id, edited)
      return edited
    },
    delete(account, id) {
      const template = templates.get(id)
      if (template?.creatorId !== account.id) throw noTemplate(`template ${String(id)} of this account`)
      templates.delete(id)
    },
    countInstance(id, nowSeconds) {
      const template = templates.get(id)
      // It may have been deleted while the instance was being made.
      if (template === undefined) return
      const countCreated = template.countCreated + 1
      templates.set(id, { ...template, countCreated, recentCreateDate: nowSeconds })
    },
  }
}

/** The template as the service returns it: without the password of its registry, which no reply ever holds. */
export function templateRecord(template: Template): Readonly<Record<string, unknown>> {
  const { docker_login_pass: _secret, ...fields } = template.fields
  return {
    id: template.id,
    hash_id: template.hashId,
    creator_id: template.creatorId,
    created_at: template.createdAt,
    count_created: template.countCreated,
    recent_create_date: template.recentCreateDate,
    default_tag: template.defaultTag,
    recommended: template.isRecommended,
    ...fields,
  }
}
