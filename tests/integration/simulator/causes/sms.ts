import { createPerson } from '../two-factor-person.ts'
import type { Causes } from './cause.ts'

/** The number that nothing is wrong with. */
const NUMBER = '+12025550140'

/** What keeps an SMS from being sent, and what is wrong with its number. */
export const smsCauses: Causes = {
  tfa_challenge_exists: {
    when: 'a second code is asked for while the first is good',
    async happen(simulator) {
      const person = createPerson(simulator)
      await person.ask('POST', 'sms/', { phone_number: NUMBER })
      return await person.ask('POST', 'sms/', { phone_number: NUMBER })
    },
  },
  missing_phone_number: {
    when: 'no number is given, and none is on the account',
    happen: (simulator) => createPerson(simulator).ask('POST', 'sms/', {}),
  },
  phone_number_mismatch: {
    when: 'a code is to be sent again to another number',
    async happen(simulator) {
      const person = createPerson(simulator)
      await person.ask('POST', 'sms/', { phone_number: NUMBER })
      return await person.ask('POST', 'sms/resend/', { phone_number: '+12025550141' })
    },
  },
  sms_provider_error: {
    when: 'the carrier is down',
    async happen(simulator) {
      simulator.twoFactor.setCarrier('down')
      const answer = await createPerson(simulator).ask('POST', 'sms/', { phone_number: NUMBER })
      simulator.twoFactor.setCarrier('up')
      return answer
    },
  },
  sms_provider_rate_limited: {
    when: 'the carrier takes no more',
    async happen(simulator) {
      simulator.twoFactor.setCarrier('busy')
      const answer = await createPerson(simulator).ask('POST', 'sms/', { phone_number: NUMBER })
      simulator.twoFactor.setCarrier('up')
      return answer
    },
  },
  sms_rate_limited: {
    when: 'an account asks for a sixth SMS within 10 minutes',
    async happen(simulator) {
      const person = createPerson(simulator, 'legacy')
      await person.ask('POST', 'sms/', {})
      for (let resends = 0; resends < 4; resends += 1) await person.ask('POST', 'sms/resend/', {})
      return await person.ask('POST', 'sms/resend/', {})
    },
  },
  preauth_phone_cap: {
    when: 'ten codes went to a number that nobody has proven to be theirs',
    async happen(simulator) {
      const phone_number = '+12025550142'
      for (let people = 0; people < 10; people += 1)
        await createPerson(simulator).ask('POST', 'sms/', { phone_number })
      return await createPerson(simulator).ask('POST', 'sms/', { phone_number })
    },
  },
  sms_blocked_number: {
    when: 'the number is flagged as a high risk of fraud',
    happen: (simulator) => createPerson(simulator).ask('POST', 'sms/', { phone_number: '+12025550192' }),
  },
  sms_fraud_detected: {
    when: 'support has flagged the account',
    async happen(simulator) {
      const person = createPerson(simulator, 'legacy')
      simulator.twoFactor.happenTo(person.key, { sms_fraud: true })
      return await person.ask('POST', 'sms/', {})
    },
  },
}
