import type { Simulator } from '../../simulator/simulator.ts'
import { totp, type Person } from '../simulator/tfa-person.ts'
import type { World } from './world.ts'

export const methodId = ({ tfa }: Person, kind: 'sms' | 'totp'): number =>
  tfa.methods.find(({ method }) => method === kind)?.id ?? 0
export const choiceOf = (person: Person, kind: 'sms' | 'totp'): string => `method:${methodId(person, kind)}`
export const backupCode = ({ tfa }: Person, index = 0): string => tfa.backup_codes[index] ?? ''

/** Enrols TOTP as the first method, up to the codes that are to be saved. */
export async function enrolFirst(service: Simulator, world: World, person: Person) {
  const procedure = await world.begin({ kind: 'add', method: 'totp' })
  await procedure.verifier.send()
  await procedure.verifier.submit(person.lastCode('email'))
  const { secret } = await procedure.enrolment.secret()
  await procedure.enrolment.confirm(totp(service, secret), 'Desk', false)
  return { procedure, secret }
}
