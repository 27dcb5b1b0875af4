import type { ActionKind } from '#domain/instances/instance.ts'

/**
 * What the user wanted when a problem came up; `save-rest`: after a part was saved; `verify-again`: after a code whose
 * reply was lost.
 */
export type Attempt =
  ActionKind | 'load' | 'connect' | 'search' | 'rent' | 'save' | 'save-rest' | 'send-code' | 'verify-again'

/** What it means for money or access when the request certainly had no effect. */
export function unchanged(attempt: Attempt): string {
  switch (attempt) {
    case 'load':
      return 'You see the last known state. Nothing was changed.'
    case 'connect':
      return 'No key was saved.'
    case 'search':
      return 'Nothing was rented or charged.'
    case 'rent':
      return 'Nothing was rented or charged.'
    case 'stop':
      return 'The instance wasn’t stopped. You’re still charged.'
    case 'destroy':
      return 'The instance wasn’t destroyed. You’re still charged.'
    case 'save':
      return 'Nothing was changed.'
    case 'save-rest':
      return 'What was added before stays.'
    case 'send-code':
      return 'No new code was sent.'
    case 'verify-again':
      return 'The code whose reply was lost may have completed the sign-in.'
  }
}

/** The same when the request may have taken effect although no good reply came. */
export function unclear(attempt: Attempt): string {
  switch (attempt) {
    case 'load':
    case 'connect':
    case 'search':
    case 'verify-again':
      return unchanged(attempt)
    case 'rent':
      return 'You may be charged for a new instance. Check Instances before you rent again.'
    case 'stop':
      return 'The instance may still be running. Check its state in the list: you may still be charged.'
    case 'destroy':
      return 'The instance may still exist. Check the list: you may still be charged.'
    case 'save':
    case 'save-rest':
      return 'Slipway can’t tell whether the change was made.'
    case 'send-code':
      return 'A code may be on its way.'
  }
}

/** What happened when the service declined it. */
export const refusedTitle: Readonly<Record<Attempt, string>> = {
  load: 'The service declined the request',
  connect: 'The service declined the connection',
  search: 'The service declined this search',
  rent: 'The service didn’t rent this machine',
  stop: 'The service didn’t stop the instance',
  destroy: 'The service didn’t destroy the instance',
  save: 'The service declined the change',
  'save-rest': 'The service declined the change',
  'send-code': 'The service declined to send a code',
  'verify-again': 'The service declined the request',
}

/** What to do after that. */
export const refusedStep: Readonly<Record<Attempt, string>> = {
  load: 'Read the reply, then try again.',
  connect: 'Check the service address and the API key.',
  search: 'Change the filters or the order, then search again.',
  rent: 'Search again: the offer may be gone. Otherwise, change the values that the reply names.',
  stop: 'Check the instance’s state. It may already be stopped or gone.',
  destroy: 'Check the instance’s state. It may already be gone.',
  save: 'Change the values that the reply names, then try again.',
  'save-rest': 'Change the values that the reply names, then try again.',
  'send-code': 'Change the values that the reply names, or choose another method.',
  'verify-again': 'Check whether you’re signed in at the service before you use another code.',
}
