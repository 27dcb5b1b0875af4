import type { AccountInUse } from '#services/instances/account-bound.ts'

/** An account as it is in use; `userId` tells it from another one at the same service. */
export function accountInUse(userId = 1, accountId = `key-${userId}`): AccountInUse {
  return {
    kind: 'connected',
    accountId,
    userId,
    serviceAddress: 'https://service.example',
    keyMask: '••••',
    keyKeptIn: 'keychain',
    user: null,
    checkedAt: null,
    problem: null,
  }
}
