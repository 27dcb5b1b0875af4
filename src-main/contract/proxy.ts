import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { proxyLogin, proxyQuestion } from '../domain/workbench/proxy-login.ts'
import { nothing, procedure } from './base.ts'

/** A proxy on the way to the service that asks who is there. */
export const proxy = {
  /** The proxy that asks; `null` while none does. */
  watch: procedure.output(eventIterator(proxyQuestion.nullable())),
  /** Kept in memory until Slipway ends. Whatever failed for want of it is tried again. */
  logIn: procedure.input(z.object({ questionId: z.int(), login: proxyLogin })).output(nothing),
}
