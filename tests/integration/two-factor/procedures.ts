import { expect } from 'vitest'
import type { Simulator } from '../../simulator/simulator.ts'
import { freshTotp, moveToFreshStep, otherThan, totp, type Person } from '../simulator/two-factor-person.ts'
import { startWorld, type World, type WorldOptions } from './world.ts'

export const methodId = ({ twoFactor }: Person, kind: 'sms' | 'totp'): number =>
  twoFactor.methods.find(({ method }) => method === kind)?.id ?? 0
export const choiceOf = (person: Person, kind: 'sms' | 'totp'): string => `method:${methodId(person, kind)}`
export const backupCode = ({ twoFactor }: Person, index = 0): string => twoFactor.backup_codes[index] ?? ''

/** The step that sets TOTP up as the first method, permitted by email. */
export async function enrolling(world: World, person: Person) {
  const guidedFlow = await world.begin({ kind: 'add', method: 'totp' })
  await guidedFlow.verifier.send()
  await guidedFlow.verifier.submit(person.lastCode('email'))
  const { secret } = await guidedFlow.enrollment.secret()
  return { guidedFlow, secret }
}

/** Enrolls TOTP as the first method, up to the codes that are to be saved. */
export async function enrollFirst(service: Simulator, world: World, person: Person) {
  const { guidedFlow, secret } = await enrolling(world, person)
  // In the middle of a step: what follows is the same whenever it runs.
  await moveToFreshStep(service)
  await guidedFlow.enrollment.confirm(totp(service, secret), 'Desk', false)
  return { guidedFlow, secret }
}

/** A login that has come to its verification. */
export async function verifying(service: Simulator, person: Person, options: WorldOptions = {}) {
  const world = await startWorld(service, person, options)
  const guidedFlow = await world.begin({ kind: 'log-in', admin: false })
  return { world, guidedFlow, person }
}

/** The step that sets a further method up, permitted by a backup code. */
export async function enrollmentOf(world: World, person: Person, method: 'sms' | 'totp') {
  const guidedFlow = await world.begin({ kind: 'add', method })
  guidedFlow.verifier.choose('backup-code')
  await guidedFlow.verifier.submit(backupCode(person))
  return guidedFlow
}

/** The code of what was refused last, where it is told beside the form; else what is told. */
export function refusal(world: World): unknown {
  const { refusal: told } = world.flow()
  return told?.kind === 'problem' && told.problem.kind === 'tfa-refused' ? told.problem.code : told
}

/** The code of what ended the procedure. */
export function stoppedBy(world: World): unknown {
  const { why } = world.step('stopped')
  return why.kind === 'problem' && why.problem.kind === 'tfa-refused' ? why.problem.code : why
}

/** Locks somebody's authenticator, by wrong codes that are entered elsewhere. */
export async function lockTotp(service: Simulator, person: Person): Promise<void> {
  for (let failure = 1; failure <= 5; failure += 1) {
    const code = otherThan(await freshTotp(service, person))
    await person.ask('POST', '', { tfa_method: 'totp', tfa_method_id: methodId(person, 'totp'), code })
  }
}

/** A code of the vault's entry or set is taken by the service: nothing was lost. */
export async function logInByStored(service: Simulator, world: World, choice: string): Promise<void> {
  const guidedFlow = await world.begin({ kind: 'log-in', admin: false })
  guidedFlow.verifier.choose(choice)
  // In the middle of a step, so that nothing waits for the next one.
  await moveToFreshStep(service)
  await guidedFlow.verifier.submitStored()
  expect(world.step('done').outcome.kind).toBe('logged-in')
}
