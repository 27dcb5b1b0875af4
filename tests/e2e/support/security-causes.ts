import { button, chooseBackupCode, code, enrollTotp, verifyBy } from './security-actions.ts'
import {
  add,
  atLogin,
  byTotp,
  type Cause,
  choose,
  logIn,
  logInByEmail,
  renewCodes,
  send,
  smsId,
  typing,
  withCodeSent,
} from './security-scene.ts'

/** Refusals that have nothing to do with a phone. */
export const causes: readonly Cause[] = [
  {
    code: '2fa_login_failed',
    ...atLogin,
    ...typing('000000'),
  },
  {
    code: '2fa_verification_failed',
    prepare: renewCodes,
    ...typing('000000'),
    requests: ['PUT tfa/regen-backup-codes/'],
    next: 'Verify',
    shows: '1 failed attempt so far.',
  },
  {
    code: 'tfa_locked',
    prepare: async (scene) => {
      await renewCodes(scene)
      const [method] = scene.owner.twoFactor.methods
      for (let tries = 0; tries < 5; tries += 1)
        await scene.owner.elsewhere('PUT', 'regen-backup-codes/', {
          tfa_method: 'totp',
          tfa_method_id: method?.id,
          code: '000000',
        })
    },
    ...typing('111111'),
    requests: ['PUT tfa/regen-backup-codes/'],
    next: 'Use a backup code',
    shows: 'Locked. Unlocks in',
  },
  {
    code: 'invalid_backup_code',
    ...atLogin,
    prepare: async (scene) => {
      await logIn(scene)
      await chooseBackupCode(scene.page)
    },
    ...typing('AAAA-2222-BBBB'),
  },
  {
    code: '2fa_expired',
    prepare: async (scene) => {
      await withCodeSent(scene, logInByEmail)
      await scene.service.clock.advance(11 * 60)
    },
    act: ({ page, owner }) => verifyBy(page, owner.lastCode('email')),
    requests: ['POST tfa/'],
    next: 'Send code',
  },
  {
    code: 'no_challenge_found',
    prepare: logInByEmail,
    ...typing('123456'),
    requests: [],
    next: 'Send code',
  },
  {
    code: 'no_pending_authorization',
    prepare: async (scene) => {
      await add(scene, 'Authenticator app')
      await withCodeSent(scene, () => choose(scene.page, /Email/))
      const { secret } = await scene.owner.elsewhere('POST', 'authorize-new-method/', { tfa_method: 'email' })
      const typed = scene.owner.lastCode('email')
      await scene.owner.elsewhere('PUT', 'authorize-new-method/', { code: typed, secret })
    },
    ...typing('123456'),
    // An email costs nothing: it is sent at once.
    requests: ['PUT tfa/authorize-new-method/', 'POST tfa/authorize-new-method/'],
    next: 'Verify',
  },
  {
    code: 'email_not_verified',
    prepare: async (scene) => {
      await logInByEmail(scene)
      scene.service.twoFactor.happenTo(scene.owner.key, { email_verified: false })
    },
    act: send,
    requests: ['POST tfa/email/'],
    next: 'Check again',
    shows: 'Your email address isn’t verified',
  },
  {
    code: 'service_unavailable',
    prepare: async (scene) => {
      await add(scene, 'Authenticator app')
      scene.service.twoFactor.setStore('authorizations', 'down')
    },
    act: async (scene) => {
      await byTotp(scene)
      // The last of its tries would come after nine seconds.
      await scene.page.getByText('(3 of 3)').waitFor()
      await button(scene.page, 'Stop waiting').click()
    },
    requests: ['POST tfa/authorize-new-method/', ...Array<string>(3).fill('PUT tfa/authorize-new-method/')],
    next: 'Verify',
  },
  {
    code: 'challenge_creation_failed',
    prepare: async (scene) => {
      await add(scene, 'Authenticator app')
      scene.service.twoFactor.setStore('authorization-challenges', 'down')
    },
    act: byTotp,
    requests: Array<string>(2).fill('POST tfa/authorize-new-method/'),
    next: 'Verify',
  },
  {
    code: 'duplicate_tfa_method',
    prepare: async (scene) => {
      await add(scene, 'Authenticator app')
      await byTotp(scene)
      await scene.page.getByLabel('Key', { exact: true }).waitFor()
    },
    act: async ({ page, service }) => {
      await enrollTotp(page, service)
    },
    requests: ['POST tfa/confirm-new/'],
    next: 'Remove and set up again',
    // Its secret in the vault.
    shows: 'No longer used',
  },
  {
    code: 'not_found',
    prepare: async (scene) => {
      await scene.page
        .getByRole('listitem', { name: 'Phone' })
        .getByRole('button', { name: 'Remove' })
        .click()
      await button(scene.page, 'Continue').click()
      await scene.owner.elsewhere('DELETE', '', {
        backup_code: scene.owner.twoFactor.backup_codes[0],
        target_id: smsId(scene.owner),
      })
    },
    act: byTotp,
    requests: ['DELETE tfa/'],
    next: 'Close',
  },
  {
    code: 'tfa_method_not_configured',
    ...atLogin,
    prepare: async (scene) => {
      await logIn(scene)
      scene.service.twoFactor.happenTo(scene.owner.key, { totp_secret: 'unreadable' })
    },
    ...typing('123456'),
    next: 'Remove and set up again',
    shows: 'Must be set up again',
  },
  {
    code: 'auth_error',
    prepare: async (scene) => {
      await logIn(scene)
      await byTotp(scene)
      await button(scene.page, 'Close').click()
      await renewCodes(scene)
      await code(scene.page).fill('123456')
      await scene.service.clock.advance(25 * 60 * 60)
    },
    act: ({ page }) => button(page, 'Verify').click(),
    requests: ['PUT tfa/regen-backup-codes/'],
    next: 'Create new backup codes',
    shows: 'No session. Requests use the API key',
  },
  {
    code: 'missing_email',
    account: ['default', { email: '' }],
    prepare: () => Promise.resolve(),
    act: async ({ page }) => {
      await button(page, 'Set up two-factor authentication').click()
      await button(page, 'Authenticator app').click()
    },
    requests: [],
    next: 'Set up two-factor authentication',
  },
  {
    code: 'team_user_forbidden',
    account: ['team', {}],
    prepare: () => Promise.resolve(),
    act: () => Promise.resolve(),
    requests: [],
    next: 'Add a one-time password',
  },
]
