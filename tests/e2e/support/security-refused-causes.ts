import { refuseOnce } from '../../support/refuse-once.ts'
import {
  atLogin,
  type Cause,
  logIn,
  logInBySms,
  type Scene,
  send,
  typing,
  withCodeSent,
} from './security-scene.ts'

/**
 * Refusals that the window cannot provoke by anything it does, as it keeps to the API. The service gives them all the
 * same, for one request.
 */
export const refusedCauses: readonly Cause[] = [
  {
    code: 'missing_params',
    ...atLogin,
    prepare: (scene) => refusedAfterSms(scene, 'missing_params'),
    ...typing('123456'),
    // The secret that belongs to the code is forgotten.
    next: 'Send code',
  },
  {
    code: 'missing_auth_value',
    ...atLogin,
    prepare: async (scene) => {
      await logIn(scene)
      refuseOnce(scene.service, 'POST', 'tfa/', 'missing_auth_value')
    },
    ...typing('123456'),
  },
  {
    code: 'invalid_tfa_method',
    ...atLogin,
    prepare: async (scene) => {
      await logIn(scene)
      refuseOnce(scene.service, 'POST', 'tfa/', 'invalid_tfa_method')
    },
    ...typing('123456'),
    next: 'Use a backup code',
  },
  {
    code: 'untracked_2fa_found',
    ...atLogin,
    prepare: async (scene) => {
      await logIn(scene)
      refuseOnce(scene.service, 'POST', 'tfa/', 'untracked_2fa_found')
    },
    act: typing('123456').act,
    next: 'Create new backup codes',
  },
  {
    code: 'missing_phone_number',
    account: ['legacy', {}],
    prepare: async (scene) => {
      await logIn(scene)
      refuseOnce(scene.service, 'POST', 'tfa/sms/', 'missing_phone_number')
    },
    act: send,
    requests: ['POST tfa/sms/'],
    kept: ['Phone number', ''],
    next: 'Send code',
    shows: 'With its country code',
  },
  {
    code: 'phone_number_mismatch',
    ...atLogin,
    prepare: (scene) => refusedAfterSms(scene, 'phone_number_mismatch'),
    ...typing('123456'),
    next: 'Send code',
    // The number that codes of this method go to.
    shows: 'Sends to',
  },
]

async function refusedAfterSms(
  scene: Scene,
  error: 'missing_params' | 'phone_number_mismatch',
): Promise<void> {
  await withCodeSent(scene, logInBySms)
  refuseOnce(scene.service, 'POST', 'tfa/', error)
}
