import { z } from 'zod'
import { saying } from '../base/input-fault.ts'
import { variableNameProblem } from './env-flags.ts'
import { filters } from '../fields/filter.ts'
import { offerQuery } from '../offers/offer.ts'
import { rentalNotice } from '../instances/instance.ts'
import { parsePortMapping } from './port-mapping.ts'
import { problem } from '../base/problem.ts'
import { rentBody } from './rent-body.ts'

/** Beyond any disk or volume there is, in GB. */
export const largestSizeGb = 1_000_000
/** Of an image's name, in characters. */
export const longestImage = 1024
/** Of a start script as it is typed, in UTF-16 units; far more than packing can make short enough. */
export const longestScript = 1_000_000

const sizeGb = z.number().positive().max(largestSizeGb)

/** A volume in the user's words: one that is there, or a new one from a volume offer. */
const volumeRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('link'),
    volumeId: z.number().int().positive(),
    mountPath: z.string().startsWith('/').max(4096),
  }),
  z.object({
    kind: z.literal('create'),
    volumeOfferId: z.number().int().positive(),
    sizeGb,
    mountPath: z.string().startsWith('/').max(4096),
  }),
])
export type VolumeRequest = z.infer<typeof volumeRequest>

/** What is to run on a machine, whichever it is; not yet complete. */
export const rentDraft = z.object({
  /** `null`: the template's. */
  image: z.string().trim().min(1).max(longestImage).nullable(),
  /** `null`: none. */
  templateHashId: z.string().min(1).max(256).nullable(),
  diskGb: sizeGb.nullable(),
  /** Variables, and single ports as keys, as the service takes them (service API 4.4). */
  env: z.record(z.string().refine(isEnvName), z.string()),
  /** `null`: nothing of one's own, so that a template's script is used. */
  onstart: z.string().max(longestScript).nullable(),
  volume: volumeRequest.nullable(),
  /** Merged with the template's by field; the request's win (service API 4.4, rule 3). */
  extraFilters: filters.default({}),
  /** Adds the public key of this machine to the start script, so that the first login works. */
  addSshKey: z.boolean(),
})
export type RentDraft = z.infer<typeof rentDraft>

/** The same, complete. */
export const rentOptions = rentDraft
  .extend({ diskGb: sizeGb })
  .refine(({ image, templateHashId }) => image !== null || templateHashId !== null, {
    path: ['image'],
    ...saying({ code: 'missing' }),
  })
export type RentOptions = z.infer<typeof rentOptions>

/** Where another machine is looked for when one never runs. */
export const nextOffers = z.object({
  query: offerQuery,
  /** What an offer may cost, disk included; `null` when nobody has said. */
  capPerHourUsd: z.number().positive().nullable(),
})
export type NextOffers = z.infer<typeof nextOffers>

/** What the rent sheet asks for. */
export const rentRequest = z.object({
  offerId: z.number().int(),
  options: rentOptions,
  /** Keeps the instance's own restricted key (service API 4.4), and shows it once. */
  keepInstanceKey: z.boolean(),
  /** Kept with the request. */
  next: nextOffers.optional(),
})
export type RentRequest = z.infer<typeof rentRequest>

/** What would be sent, as it stands. */
export const rentPreview = z.object({
  body: rentBody,
  /** Characters of the start script as it is sent; beyond the service's limit it is refused. */
  onstartCharacters: z.number().int(),
  isOnstartPacked: z.boolean(),
})
export type RentPreview = z.infer<typeof rentPreview>

/** The instance's own key, shown once, and where it was kept. */
const freshInstanceKey = z.object({
  value: z.string(),
  kept: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('keychain') }),
    /** There is no keychain: until Slipway quits. */
    z.object({ kind: z.literal('memory') }),
    z.object({ kind: z.literal('nowhere'), problem }),
  ]),
})
export type FreshInstanceKey = z.infer<typeof freshInstanceKey>

/** What is known of the request that an instance was rented with; none of its values that may be secret. */
export const knownRequest = nextOffers.extend({
  image: z.string().nullable(),
  templateHashId: z.string().nullable(),
  diskGb: z.number().nullable(),
  /** Names of variables, and ports. */
  env: z.array(z.string()).readonly(),
  hasScript: z.boolean(),
  mountPath: z.string().nullable(),
})
export type KnownRequest = z.infer<typeof knownRequest>

export const rentResult = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('rented'),
    instanceId: z.number().int(),
    /** `null`: it was not asked for, or the service sent none. */
    instanceKey: freshInstanceKey.nullable(),
  }),
  /** No reply came, so the list was asked; what it says is also kept as a notice. */
  z.object({ kind: z.literal('reply-lost'), notice: rentalNotice }),
])
export type RentResult = z.infer<typeof rentResult>

function isEnvName(name: string): boolean {
  return name.startsWith('-p ')
    ? parsePortMapping(name.slice(3))?.count === 1
    : variableNameProblem(name) === null
}
