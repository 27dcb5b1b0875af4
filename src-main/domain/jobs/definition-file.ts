import { z } from 'zod'
import { measureJson, parseJson } from '../base/json-value.ts'
import { offerQuery, onDemand } from '../offers/offer.ts'
import { rentDraft, rentOptions } from '../renting/rent-request.ts'
import { retryPlan } from '../renting/retry.ts'
import { jobDefinition, longestDefinition, type JobDefinition } from './job-definition.ts'

/** Where editors find what a definition file may hold: this project's docs/slipway.schema.json. Slipway never asks for it. */
const publishedSchema = 'https://raw.githubusercontent.com/slipway-app/slipway/main/docs/slipway.schema.json'
/** Levels of a filter's own JSON, and of what is around it. */
const deepestNesting = 64
/** Values of a file: lists of patterns and filters have hundreds. Each that doesn't fit becomes a complaint of zod's. */
const mostValues = 10_000
/** Of the fields that only a newer Slipway or a slip of the finger knows so many are told, in so many characters. */
const mostUnknown = 20
const longestPath = 100

/**
 * How an instance was rented for the job, for whoever opens the file: what fits, and within which limits. Nothing of it
 * is secret or an account's own, so variables, start scripts, and volumes aren't in it.
 */
export const rentHints = z.object({
  search: offerQuery,
  image: rentDraft.shape.image,
  diskGb: rentOptions.shape.diskGb,
  limits: retryPlan,
})
export type RentHints = z.infer<typeof rentHints>

const { send } = jobDefinition.shape

/** A definition file. What is described here, editors show (`docs/slipway.schema.json`). */
export const definitionFile = z
  .object({
    $schema: z.string().max(2000).optional().describe('Where editors find this schema.'),
    version: z.literal(1).describe('The version of this format.'),
    name: jobDefinition.shape.name.describe('Names the job in lists and notifications.'),
    command: jobDefinition.shape.command.describe(
      'Runs in the project’s folder on the instance, with sh. May have several lines.',
    ),
    send: z
      .object({
        honorGitignore: send.shape.honorGitignore
          .default(true)
          .describe('Leaves out what .gitignore files name, and the .git folder.'),
        exclude: send.shape.exclude
          .default([])
          .describe(
            'More to leave out: lines of a .gitignore file in the project’s folder. They can’t start with “!”.',
          ),
      })
      .prefault({})
      .describe(
        'Which files of the project’s folder are uploaded. Without it, all but those that .gitignore files name.',
      ),
    fetch: jobDefinition.shape.fetch
      .default([])
      .describe(
        'Outputs that are downloaded when the command has ended: files and folders inside the project’s folder, with * and ** as in .gitignore.',
      ),
    then: jobDefinition.shape.then
      .default('keep')
      .describe(
        'What Slipway does with the instance once all outputs are downloaded and compared. You’re charged for a kept instance, and for the disk of a stopped one.',
      ),
    stopAfterMinutes: jobDefinition.shape.stopAfterMinutes
      .default(null)
      .describe(
        'The instance stops itself this many minutes after the command has ended, if Slipway hasn’t finished the job by then. null: it keeps running, and you’re charged.',
      ),
    rent: z
      .object({
        search: offerQuery
          .extend({
            filters: offerQuery.shape.filters.describe(
              'Maps a field of offers to conditions: an operator (eq, neq, lt, lte, gt, gte, in, notin) and its value.',
            ),
            order: offerQuery.shape.order
              .default([])
              .describe('Pairs of a field and asc or desc. The first pair counts most.'),
            type: offerQuery.shape.type.default(onDemand).describe('The type of rental.'),
            limit: offerQuery.shape.limit.default(100).describe('How many offers to look at, at most.'),
          })
          .describe('A search for offers, as the rental service takes it.'),
        image: rentHints.shape.image
          .default(null)
          .describe('The image to run. null: whoever opens the file chooses an image or a template.'),
        diskGb: rentHints.shape.diskGb.describe('Disk space of the instance, in GB.'),
        limits: z
          .object({
            machines: retryPlan.shape.machines.describe(
              'How many machines to try, at most, one after another.',
            ),
            capPerHourUsd: retryPlan.shape.capPerHourUsd.describe(
              'What an offer may cost with its disk, in US dollars per hour. null: any price.',
            ),
            bootMinutes: retryPlan.shape.bootMinutes.describe(
              'How many minutes each machine may take to start.',
            ),
            giveUpAfterMinutes: retryPlan.shape.giveUpAfterMinutes.describe(
              'After this many minutes no further machine is rented.',
            ),
          })
          .describe('Limits of auto-retry.'),
      })
      .nullable()
      .default(null)
      .describe(
        'A suggestion for renting an instance for this job. Nothing is rented until you begin the job in Slipway.',
      ),
  })
  .describe('A job for Slipway: a command, the files it needs, and the outputs that come back.')

/** Why a file is no definition. `unreadable`: the file system said no, or it's no regular file. */
export const definitionFault = z.enum(['unreadable', 'too-long', 'not-json', 'newer', 'unfit'])
export type DefinitionFault = z.infer<typeof definitionFault>

/** What a file is about, without its frame. */
export interface DefinitionContent {
  readonly definition: JobDefinition
  /** `null`: it says nothing about renting. */
  readonly rent: RentHints | null
}

export type ReadDefinitionFile =
  | {
      readonly ok: true
      readonly content: DefinitionContent
      /** Fields that were left out, such as `send.exclud`: nothing is done with them. */
      readonly unknown: readonly string[]
      /** What the file says of its schema; `null` where it says nothing. */
      readonly schema: string | null
    }
  | {
      readonly ok: false
      readonly fault: DefinitionFault
      /** The field that doesn't fit, such as `send.exclude.0`; empty for the whole file. */
      readonly path: string
    }

/** Reads a definition file, which may come from anybody: all of it fits, or nothing of it is taken. */
export function readDefinitionFile(text: string): ReadDefinitionFile {
  const faulty = (fault: DefinitionFault, path = ''): ReadDefinitionFile => ({ ok: false, fault, path })
  if (text.length > longestDefinition) return faulty('too-long')
  const { depth, values } = measureJson(text)
  // What checks the content goes down into it, and must come back.
  if (depth > deepestNesting || values > mostValues) return faulty('unfit')
  const json = parseJson(text)
  if (json === undefined) return faulty('not-json')
  const version = z.object({ version: z.int().min(1) }).safeParse(json)
  if (version.data !== undefined && version.data.version > 1) return faulty('newer')
  const parsed = definitionFile.safeParse(json)
  if (!parsed.success) return faulty('unfit', shortPath(parsed.error.issues[0]?.path.map(String) ?? []))
  const { $schema = null, version: _version, rent, ...definition } = parsed.data
  return {
    ok: true,
    content: { definition, rent },
    unknown: unknownFields(json, parsed.data).slice(0, mostUnknown),
    schema: $schema,
  }
}

/** @param schema where editors find the schema, if the file said so before */
export function definitionFileText(
  { definition, rent }: DefinitionContent,
  schema: string | null = null,
): string {
  const { name, command, send: sent, fetch, then, stopAfterMinutes } = definition
  const content: z.input<typeof definitionFile> = {
    ...{
      $schema: schema ?? publishedSchema,
      version: 1,
      name,
      command,
      send: sent,
      fetch,
      then,
      stopAfterMinutes,
    },
    ...(rent && { rent }),
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

/** Names in what was read that aren't in what was taken of it. */
function unknownFields(read: unknown, taken: unknown, path: readonly string[] = []): readonly string[] {
  if (!isRecord(read) || !isRecord(taken)) return []
  return Object.keys(read).flatMap((name) =>
    Object.hasOwn(taken, name)
      ? unknownFields(read[name], taken[name], [...path, name])
      : [shortPath([...path, name])],
  )
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A stranger's names as they may be shown: on one line, in the order in which they are written. */
function shortPath(names: readonly string[]): string {
  const path = names.join('.').replace(/\p{C}/gu, '\uFFFD')
  return path.length > longestPath ? `${path.slice(0, longestPath - 1)}…` : path
}
