import { Hono } from 'hono'
import { z } from 'zod'
import { parsePart } from '../api-error.ts'
import { parseJson } from '../json.ts'
import type { ServiceEnv } from '../service.ts'
import { CARRIER_STATES } from './delivery.ts'
import { STORES } from './tfa.ts'
import { accountEvent, type TfaWorld } from './world.ts'

const key = z.string().min(1)
const loginBody = z.strictObject({ key })
const carrierBody = z.strictObject({ state: z.enum(CARRIER_STATES) })
const storeBody = z.strictObject({ name: z.enum(STORES), state: z.enum(['up', 'down']) })
const eventBody = accountEvent.extend({ key })

/** The controls of what surrounds the 2FA endpoints (README.md). */
export function createTfaControl(world: TfaWorld): Hono<ServiceEnv> {
  const control = new Hono<ServiceEnv>()
  const read = <T>(schema: z.ZodType<T>, text: string): T => parsePart('body', schema, parseJson(text))

  control.get('/outbox', (context) => context.json(world.outbox()))
  control.post('/login', async (context) =>
    context.json(world.login(read(loginBody, await context.req.text()).key)),
  )
  control.post('/carrier', async (context) => {
    world.setCarrier(read(carrierBody, await context.req.text()).state)
    return context.json({ success: true })
  })
  control.post('/store', async (context) => {
    const { name, state } = read(storeBody, await context.req.text())
    world.setStore(name, state)
    return context.json({ success: true })
  })
  control.post('/account/event', async (context) => {
    const { key: of, ...event } = read(eventBody, await context.req.text())
    world.happenTo(of, event)
    return context.json({ success: true })
  })
  return control
}
