import type { Problem } from '#domain/base/problem.ts'

interface ListStanding {
  readonly isRemembered: boolean
  readonly problem: Problem | null
}

/** What keeps actions from being done now; each is `null` where nothing does. */
export interface DisabledReasons {
  readonly off: ReturnType<typeof disabledReason>
  readonly stale: ReturnType<typeof staleReason>
}

/**
 * Why nothing can be asked of the service, in a sentence for the actions that are off; `null` when it can. A
 * service that fails now and then, or answers late, is still asked: stopping what costs money must not wait for it.
 */
export function disabledReason({ isRemembered, problem }: ListStanding): string | null {
  switch (problem?.kind) {
    case 'unreachable':
      return problem.cause === 'reset' || problem.cause === 'timeout'
        ? beforeFirstAnswer(isRemembered)
        : 'Slipway can’t reach the service'
    case 'key-refused':
      return 'The service refuses the API key'
    case 'secret-missing':
      return 'The API key isn’t in the keychain'
    case 'address-changed':
      return 'The service address was changed outside Slipway'
    case 'keychain-locked':
    case 'keychain-unavailable':
      return 'Slipway can’t read the API key from the keychain'
    case 'no-account':
      return 'No account is connected'
    default:
      return beforeFirstAnswer(isRemembered)
  }
}

/**
 * Why the list is only the last known one; `null` when it's of now. Then an old state says nothing of an instance, and
 * its last known address does.
 */
export function staleReason(list: ListStanding): string | null {
  return disabledReason(list) ?? (list.problem === null ? null : 'Slipway couldn’t refresh the list')
}

function beforeFirstAnswer(isRemembered: boolean): string | null {
  return isRemembered ? 'The service hasn’t answered yet' : null
}
