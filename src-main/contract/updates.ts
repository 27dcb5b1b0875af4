import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { updateState } from '../domain/updates/update.ts'
import { nothing, procedure } from './base.ts'

/** New versions of Slipway. What became of a call is in the state. */
export const updates = {
  watch: procedure.output(eventIterator(updateState)),
  look: procedure.output(nothing),
  download: procedure.output(nothing),
  /** Main asks first where it would end something. */
  install: procedure.output(nothing),
  /** A version that Slipway ended for, to be installed, and that does not run now; `null` for none. */
  watchNotInstalled: procedure.output(eventIterator(z.string().nullable())),
  forgetNotInstalled: procedure.output(nothing),
}
