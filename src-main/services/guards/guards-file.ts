import { z } from 'zod'
import { stepFrom, stepToOwnEntries, type VersionStep } from '../../domain/base/file-version.ts'
import { firedGuard, guard } from '../../domain/guards/guard.ts'
import { lastWord } from '../../domain/guards/watcher.ts'
import { instanceIdentity, unknownIdentity } from '../../domain/instances/instance-identity.ts'
import type { JsonFileShape } from '../storage/json-file.ts'

const content = z.object({
  guards: z.array(guard).readonly(),
  fired: z.array(firedGuard).readonly(),
  /** Names this computer to the instances, which keep apart what several give them; `null` before the first one was told. */
  owner: z.string().nullable(),
  /** Instances that were given guards, and have not yet said that they watch none any more. */
  watched: z.array(z.number().int()).readonly(),
  /** What these said last. */
  words: z.array(lastWord).readonly().default([]),
})
export type GuardsFile = z.infer<typeof content>

/** Guards did not know whether an id still is the instance that they were set for. */
const withIdentity = stepFrom(
  z.looseObject({
    guards: z.array(z.looseObject({ identity: instanceIdentity.default(unknownIdentity) })),
  }),
)

const withOwners = z.looseObject({ guards: z.unknown(), fired: z.unknown() })
const ownOnly: VersionStep = (former, isOwn) => {
  const parsed = withOwners.safeParse(former)
  if (!parsed.success) return former
  const { guards, fired, ...others } = parsed.data
  return { ...others, guards: stepToOwnEntries(guards, isOwn), fired: stepToOwnEntries(fired, isOwn) }
}

/** Guards did not know since when their instance is stopped. */
const withStoppedSince = stepFrom(
  z.looseObject({ guards: z.array(z.looseObject({ stoppedSince: z.null().default(null) })) }),
)

/** Guards acted in Slipway alone. */
const inSlipway = z.looseObject({ place: z.literal('slipway').default('slipway') })
const withPlace = stepFrom(
  z.looseObject({
    guards: z.array(inSlipway),
    fired: z.array(inSlipway),
    owner: z.null().default(null),
    watched: z.array(z.number()).default([]),
  }),
)

/** The guards over instances, what they have done, and what instances say that see to theirs by themselves. */
export const guardsFile: JsonFileShape<GuardsFile> = {
  schema: content,
  steps: [withIdentity, ownOnly, withStoppedSince, withPlace],
  fallback: { guards: [], fired: [], owner: null, watched: [], words: [] },
}
