import { Hono } from 'hono'
import { z } from 'zod'
import { parsePart } from '../api-error.ts'
import { parseBody } from '../json.ts'
import type { ServiceEnv } from '../service-env.ts'
import { CARRIER_STATES } from './delivery.ts'
import { STORES } from './two-factor.ts'
import { accountEvent, type TwoFactorWorld } from './world.ts'

const key = z.string().min(1)
const loginBody = z.strictObject({ key })
const carrierBody = z.strictObject({ state: z.enum(CARRIER_STATES) })
const storeBody = z.strictObject({ name: z.enum(STORES), state: z.enum(['up', 'down']) })
const eventBody = accountEvent.extend({ key })

/** The controls of what surrounds the 2FA endpoints (README.md). */
export function createTwoFactorControl(world: TwoFactorWorld): Hono<ServiceEnv> {
  const control = new Hono<ServiceEnv>()
  const read = <T>(schema: z.ZodType<T>, body: Buffer): T => parsePart('body', schema, parseBody(body))

  control.get('/outbox', (context) => context.json(world.outbox()))
  control.post('/login', (context) => context.json(world.login(read(loginBody, context.get('body')).key)))
  control.post('/carrier', (context) => {
    world.setCarrier(read(carrierBody, context.get('body')).state)
    return context.json({ success: true })
  })
  control.post('/store', (context) => {
    const { name, state } = read(storeBody, context.get('body'))
    world.setStore(name, state)
    return context.json({ success: true })
  })
  control.post('/account/event', (context) => {
    const { key: of, ...event } = read(eventBody, context.get('body'))
    world.happenTo(of, event)
    return context.json({ success: true })
  })
  return control
}
