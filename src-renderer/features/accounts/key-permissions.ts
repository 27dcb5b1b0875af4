import type { InstancesSnapshot } from '#domain/instances/instance.ts'
import type { Tone } from '#ui/tone.ts'

interface Permission {
  readonly name: string
  readonly tone: Tone
  readonly answer: string
}

/**
 * What the key may do, as far as it has shown. The service has no way to ask (service API 2.9): only what was
 * tried is known, and nothing that costs money is tried for this.
 */
export function keyPermissions(hasUser: boolean, snapshot: InstancesSnapshot | null): readonly Permission[] {
  return [
    { name: 'Read the account', ...(hasUser ? yes : notKnown) },
    { name: 'See instances', ...instanceReading(snapshot) },
    { name: 'Rent, stop and destroy', tone: 'neutral', answer: 'shown when you first do it' },
  ]
}

const yes = { tone: 'good', answer: 'yes' } as const
const notKnown = { tone: 'neutral', answer: 'not known yet' } as const

function instanceReading(snapshot: InstancesSnapshot | null): Omit<Permission, 'name'> {
  if (snapshot?.problem?.kind === 'not-allowed') return { tone: 'warning', answer: 'no, this key may not' }
  return snapshot === null || snapshot.fetchedAt === null ? notKnown : yes
}
