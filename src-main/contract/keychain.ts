import { eventIterator } from '@orpc/contract'
import { keychainState } from '../domain/vault/keychain-state.ts'
import { nothing, procedure } from './base.ts'

export const keychain = {
  watch: procedure.output(eventIterator(keychainState)),
  /** Looks again, after the user has unlocked or started it. */
  check: procedure.output(nothing),
}
