import { NUMBERS } from '../../simulator/two-factor/phone-number.ts'
import { button, otherNumber, verifyBy, verifyBySent } from './security-actions.ts'
import {
  add,
  byTotp,
  type Cause,
  logInBySms,
  newNumber,
  type Scene,
  send,
  sent,
  smsId,
  withCodeSent,
} from './security-scene.ts'

/** Refusals around codes by SMS. */
export const smsCauses: readonly Cause[] = [
  {
    code: 'challenge_not_found',
    prepare: async (scene) => {
      await withCodeSent(scene, logInBySms)
      await scene.owner.elsewhere('POST', 'sms/resend/', { tfa_method_id: smsId(scene.owner) })
    },
    act: ({ page, owner }) => verifyBy(page, owner.lastCode('sms')),
    requests: ['POST tfa/'],
    next: 'Send code',
  },
  {
    code: 'authorization_required',
    prepare: async (scene) => {
      await add(scene, 'Text message (SMS)')
      await byTotp(scene)
      await scene.page.getByLabel('Phone number').fill(otherNumber)
      await scene.service.clock.advance(25 * 60)
      await send(scene)
      await sent(scene)
      await scene.service.clock.advance(6 * 60)
    },
    act: ({ page, owner }) => verifyBy(page, owner.lastCode('sms')),
    requests: ['POST tfa/confirm-new/'],
    next: 'Verify',
  },
  {
    code: 'sms_provider_error',
    prepare: async (scene) => {
      await logInBySms(scene)
      scene.service.twoFactor.setCarrier('down')
    },
    act: send,
    requests: ['POST tfa/sms/'],
    // No cooldown after a send that failed.
    next: 'Send code',
  },
  {
    code: 'sms_provider_rate_limited',
    prepare: async (scene) => {
      await logInBySms(scene)
      scene.service.twoFactor.setCarrier('busy')
    },
    act: async (scene) => {
      await send(scene)
      await scene.page.getByText('Trying again in').waitFor()
      await button(scene.page, 'Stop waiting').click()
    },
    requests: ['POST tfa/sms/'],
    next: 'Send code',
  },
  {
    code: 'sms_rate_limited',
    prepare: async (scene) => {
      await logInBySms(scene)
      const body = { tfa_method_id: smsId(scene.owner) }
      await scene.owner.elsewhere('POST', 'sms/', body)
      for (let more = 0; more < 4; more += 1) await scene.owner.elsewhere('POST', 'sms/resend/', body)
    },
    act: send,
    requests: ['POST tfa/sms/', 'POST tfa/sms/resend/'],
    next: 'Use a backup code',
    // A minute, of which some is over.
    shows: /\bin (1:00|0:[2-5]\d)/,
  },
  {
    code: 'preauth_phone_cap',
    prepare: async (scene) => {
      const { service } = scene
      for (let person = 0; person < 10; person += 1) {
        const { key } = service.account('default')
        await fetch(`${service.baseUrl}/api/v0/tfa/sms/`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}` },
          body: JSON.stringify({ phone_number: '+12025550166' }),
        })
      }
      await newNumber(scene, '+12025550166')
    },
    act: send,
    requests: ['POST tfa/sms/'],
    kept: ['Phone number', '+12025550166'],
    next: 'Send code',
  },
  {
    code: 'sms_blocked_number',
    prepare: (scene) => newNumber(scene, NUMBERS.fraudulent),
    act: send,
    requests: ['POST tfa/sms/'],
    kept: ['Phone number', NUMBERS.fraudulent],
    next: 'Send code',
  },
  {
    code: 'sms_fraud_detected',
    prepare: async (scene) => {
      await newNumber(scene, otherNumber)
      scene.service.twoFactor.happenTo(scene.owner.key, { sms_fraud: true })
    },
    act: send,
    requests: ['POST tfa/sms/'],
    next: 'Set up an authenticator app',
  },
  {
    code: 'bad_request',
    // Of the right shape, and of no country's length.
    prepare: (scene) => newNumber(scene, '+12025550'),
    act: send,
    requests: ['POST tfa/sms/'],
    kept: ['Phone number', '+12025550'],
    next: 'Send code',
  },
]

/** The one refusal that nobody is told of: the code that is under way is adopted. */
export async function adoptChallenge(scene: Scene): Promise<readonly string[]> {
  await logInBySms(scene)
  await scene.owner.elsewhere('POST', 'sms/', { tfa_method_id: smsId(scene.owner) })
  scene.owner.requests()
  await verifyBySent(scene.page, scene.owner, 'sms')
  await scene.page.getByText('You’re signed in').waitFor()
  return scene.owner.requests()
}
