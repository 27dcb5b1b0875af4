import { z } from 'zod'
import { firedGuard, guard } from '../../domain/guards/guard.ts'
import { instanceIdentity, unknownIdentity } from '../../domain/instances/instance-identity.ts'
import { stepFrom, stepToOwnEntries, type VersionStep } from '../../domain/base/file-version.ts'
import type { JsonFileShape } from '../storage/json-file.ts'

const content = z.object({
  guards: z.array(guard).readonly(),
  fired: z.array(firedGuard).readonly(),
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

/** The guards over instances, and what they have done. */
export const guardsFile: JsonFileShape<GuardsFile> = {
  schema: content,
  steps: [withIdentity, ownOnly],
  fallback: { guards: [], fired: [] },
}
