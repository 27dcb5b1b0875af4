import { expect } from 'vitest'
import { declineWords } from '#domain/two-factor/flow.ts'
import type { GuidedFlow } from '#services/two-factor/flow/guided-flow.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import type { Person } from '../simulator/two-factor-person.ts'
import { logInByStored } from './procedures.ts'
import { until, type World } from './world.ts'

/** What must be so after a restart, whatever became of the run before. */
export async function expectNothingLost(service: Simulator, world: World, person: Person): Promise<void> {
  const known = world.known()
  const unfinished = known.unfinished.map(({ kind }) => kind)
  if (known.status === 'off') {
    // The secret, if it was made, is in sight and not said to work.
    expect(world.vault.totpList.listed.value.filter(({ state }) => state === 'active')).toEqual([])
    return
  }
  const [method] = known.methods
  if (method?.kind === 'totp') {
    expect(method.entryId).not.toBeNull()
    await logInByStored(service, world, `method:${method.id}`)
  }
  if (unfinished.includes('codes-lost') || unfinished.includes('codes-uncertain'))
    return doWhatIsSaid(service, world, person)
  if (known.status === 'legacy') return
  await logInByStored(service, world, 'backup-code')
}

/** New codes; then nothing is left undone, and they are good. */
async function doWhatIsSaid(service: Simulator, world: World, person: Person): Promise<void> {
  const guidedFlow = await world.begin({ kind: 'regenerate' })
  guidedFlow.proceed('')
  if (world.step('verify').choices[0]?.channel === 'totp') {
    guidedFlow.verifier.choose('email')
    await verifyBySent(guidedFlow, person, 'email')
  } else await verifyBySent(guidedFlow, person, 'sms')
  expect(world.step('save-codes').count).toBe(10)
  await guidedFlow.gate.finish(declineWords)
  await until(() => world.known().unfinished.length === 0)
  await logInByStored(service, world, 'backup-code')
}

/** Sends a code, and gives it to the service. */
export async function verifyBySent(
  guidedFlow: GuidedFlow,
  person: Person,
  by: 'sms' | 'email',
): Promise<void> {
  await guidedFlow.verifier.send()
  await guidedFlow.verifier.submit(person.lastCode(by))
}
