import type { RentHints } from '#domain/jobs/definition-file.ts'
import { jobDefinition, type JobDefinition, type JobEnd } from '#domain/jobs/job-definition.ts'
import type { JobOrder } from '#domain/jobs/job.ts'
import type { SavedSearch } from '#domain/offers/offer-lists.ts'
import { typedNumber, typedSizeGb } from '#domain/renting/typed-number.ts'
import type { RetryPlan } from '#domain/renting/retry.ts'
import { imageError } from '#shared/renting/image-error.ts'
import { retryPlanText, rentingText } from '#shared/renting/renting-text.ts'
import { sizeHint } from '#shared/renting/size-hint.ts'
import { jobFormText, wrongLineText } from './job-form-text.ts'

/** What is typed for a job. */
export interface JobDraft {
  /** An absolute path; empty until one is chosen. */
  readonly folder: string
  readonly name: string
  readonly command: string
  readonly honorGitignore: boolean
  /** A pattern a line. */
  readonly exclude: string
  /** A pattern a line. */
  readonly fetch: string
  readonly place: JobOrder['place']['kind']
  readonly instanceId: number | null
  readonly image: string
  readonly templateHashId: string | null
  readonly disk: string
  readonly addSshKey: boolean
  readonly then: JobEnd
  readonly stopsItself: boolean
  readonly stopAfter: string
}

/** What a draft is checked against. */
export interface DraftSurroundings {
  /** Instances that run, or may soon. */
  readonly instanceIds: readonly number[]
  readonly search: Pick<SavedSearch, 'name' | 'query'> | null
  /** Limits of auto-retry; `null` while they can't be used. */
  readonly plan: RetryPlan | null
  /** The highest price is missing. */
  readonly isUncapped: boolean
  /** There is an SSH key on this computer. */
  readonly hasKey: boolean
}

type DraftField =
  | keyof Pick<
      JobDraft,
      'folder' | 'name' | 'command' | 'exclude' | 'fetch' | 'instanceId' | 'image' | 'disk'
    >
  | 'search'
  | 'cap'
  | 'plan'
  | 'key'
  | 'stopAfter'
export type DraftErrors = Readonly<Partial<Record<DraftField, string>>>

export interface CheckedDraft {
  readonly errors: DraftErrors
  /** `null` while something is missing or wrong. */
  readonly order: JobOrder | null
  /** The part of it that a definition file holds; `null` while something of that is missing or wrong. */
  readonly definition: JobDefinition | null
  /** How to rent, as such a file holds it; `null` on an instance that's there, and while something is missing or wrong. */
  readonly rent: RentHints | null
}

/** What a draft orders, or what is wrong with it, by the fields where that stands. */
export function checkDraft(draft: JobDraft, around: DraftSurroundings): CheckedDraft {
  const parsed = jobDefinition.safeParse(rawDefinition(draft))
  const definition = parsed.data ?? null
  const faults = (parsed.error?.issues ?? []).map(({ path }) => faultAt(path, draft))
  const place = placeOf(draft, around)
  const errors: DraftErrors = {
    // Of several lines, the first one.
    ...Object.fromEntries(faults.toReversed()),
    ...(draft.folder === '' && { folder: jobFormText.noFolder }),
    ...placeErrors(draft, around),
  }
  const isComplete = Object.keys(errors).length === 0
  return {
    errors,
    definition,
    rent: place === null ? null : rentHintsOf(place),
    order:
      isComplete && definition !== null && place !== null
        ? { definition, folder: draft.folder, place }
        : null,
  }
}

function rentHintsOf(place: JobOrder['place']): RentHints | null {
  if (place.kind !== 'rent') return null
  const { query: search, options, plan: limits } = place
  return { search, image: options.image, diskGb: options.diskGb, limits }
}

/** The draft's fields as a definition has them. */
export function draftOfDefinition(definition: JobDefinition): Partial<JobDraft> {
  const { name, command, send, fetch, then, stopAfterMinutes } = definition
  return {
    name,
    command,
    honorGitignore: send.honorGitignore,
    exclude: send.exclude.join('\n'),
    fetch: fetch.join('\n'),
    then,
    stopsItself: stopAfterMinutes !== null,
    ...(stopAfterMinutes !== null && { stopAfter: String(stopAfterMinutes) }),
  }
}

function rawDefinition(draft: JobDraft): unknown {
  return {
    name: draft.name,
    command: draft.command,
    send: { honorGitignore: draft.honorGitignore, exclude: patternsOf(draft.exclude) },
    fetch: patternsOf(draft.fetch),
    then: draft.then,
    stopAfterMinutes: draft.stopsItself ? (typedNumber(draft.stopAfter) ?? Number.NaN) : null,
  }
}

function patternsOf(lines: string): readonly string[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function faultAt([first, ...rest]: readonly PropertyKey[], draft: JobDraft): readonly [DraftField, string] {
  switch (first) {
    case 'name':
      return ['name', draft.name.trim() === '' ? jobFormText.noName : jobFormText.longName]
    case 'command':
      return ['command', draft.command.trim() === '' ? jobFormText.noCommand : jobFormText.longCommand]
    case 'fetch':
      return ['fetch', lineFault(draft.fetch, rest[0], jobFormText.manyOutputs, jobFormText.outputPattern)]
    case 'stopAfterMinutes':
      return ['stopAfter', jobFormText.stopAfter]
    default:
      return ['exclude', lineFault(draft.exclude, rest[1], jobFormText.manySkipped, jobFormText.pattern)]
  }
}

/** @param at which of the patterns; none where there are too many */
function lineFault(lines: string, at: PropertyKey | undefined, tooMany: string, wrong: string): string {
  return typeof at === 'number' ? wrongLineText(patternsOf(lines)[at] ?? '', wrong) : tooMany
}

function placeErrors(draft: JobDraft, around: DraftSurroundings): DraftErrors {
  if (draft.place === 'instance') {
    const isThere = draft.instanceId !== null && around.instanceIds.includes(draft.instanceId)
    return isThere ? {} : { instanceId: jobFormText.noInstance }
  }
  const image = imageError(draft.image, draft.templateHashId !== null)
  return {
    ...(around.search === null && { search: jobFormText.noSearch }),
    ...(image !== undefined && { image }),
    ...(typedSizeGb(draft.disk) === null && { disk: sizeHint() }),
    ...(draft.addSshKey && !around.hasKey && { key: rentingText.keyMissing }),
    ...(around.isUncapped && { cap: retryPlanText.noCap }),
    ...(around.plan === null && { plan: jobFormText.plan }),
  }
}

function placeOf(draft: JobDraft, { search, plan }: DraftSurroundings): JobOrder['place'] | null {
  if (draft.place === 'instance')
    return draft.instanceId === null ? null : { kind: 'instance', instanceId: draft.instanceId }
  const diskGb = typedSizeGb(draft.disk)
  if (search === null || plan === null || diskGb === null) return null
  return {
    kind: 'rent',
    searchName: search.name,
    query: search.query,
    options: {
      image: draft.image.trim() || null,
      templateHashId: draft.templateHashId,
      diskGb,
      env: {},
      onstart: null,
      volume: null,
      extraFilters: {},
      addSshKey: draft.addSshKey,
    },
    plan,
  }
}
