import { Hono } from 'hono'
import { z } from 'zod'
import { type Accounts, CATEGORIES, FIXTURES } from './accounts.ts'
import { ApiError, badRequest, parsePart } from './api-error.ts'
import { type Clock, LATEST_MS } from './clock.ts'
import { idSegment } from './endpoint.ts'
import { faultSchema, type Faults } from './faults/faults.ts'
import { ENDS, type Fleet, type Instance } from './fleet.ts'
import type { Journal } from './journal.ts'
import { parseBody } from './json.ts'
import { refuseOtherMethods } from './methods.ts'
import { MOST_RECORDS } from './offers/offer-records.ts'
import type { Offers } from './offers/offers.ts'
import type { OpenAccount } from './open-account.ts'
import { refuseLongBody } from './request-body.ts'
import type { ServiceEnv } from './service-env.ts'
import { createTwoFactorControl } from './two-factor/control.ts'
import { methodOrder } from './two-factor/furnish.ts'
import { phoneNumber } from './two-factor/phone-number.ts'
import type { TwoFactorWorld } from './two-factor/world.ts'

export interface ControlParts {
  readonly accounts: Pick<Accounts, 'createKey' | 'revoke'>
  readonly clock: Clock
  readonly faults: Faults
  readonly fleet: Fleet
  readonly journal: Journal
  readonly offers: Pick<Offers, 'change'>
  readonly openAccount: OpenAccount
  readonly twoFactor: TwoFactorWorld
}

const clockBody = z.strictObject({ advance_seconds: z.number().nonnegative() })
const accountBody = z.strictObject({
  name: z.enum(FIXTURES),
  categories: z.array(z.enum(CATEGORIES)).optional(),
  ssh_key: z.string().optional(),
  under_scoped_status: z.union([z.literal(401), z.literal(403)]).optional(),
  installs_ssh_key: z.boolean().optional(),
  instances: z.int().nonnegative().max(MOST_RECORDS).optional(),
  /** An empty address is none. */
  email: z.union([z.email(), z.literal('')]).optional(),
  email_verified: z.boolean().optional(),
  phone_number: phoneNumber.optional(),
  tfa_methods: z.array(methodOrder).optional(),
})
const newKeyBody = z.strictObject({
  of: z.string().min(1),
  categories: z.array(z.enum(CATEGORIES)).optional(),
})
const goneKeyBody = z.strictObject({ key: z.string().min(1) })
const status = z.string().min(1).nullable()
const fateBody = z.strictObject({ actual_status: status })
const nextFateBody = z.strictObject({
  actual_status: status,
  after_seconds: z.number().nonnegative().optional(),
})
const nextStopBody = z.strictObject({ actual_status: z.enum(ENDS), lists_state: z.boolean().optional() })
const offerBody = z.record(z.string(), z.unknown())
const sshBody = z.strictObject({
  address: z.enum(['direct', 'proxy']),
  blocked: z.enum(['refused', 'silent']).nullable(),
})
const sshdBody = z.strictObject({ state: z.enum(['up', 'down']) })

/** The control endpoints, by which tests and scripts of any language move the world of the simulator (controls.md). */
export function createControl(parts: ControlParts): Hono<ServiceEnv> {
  const { accounts, clock, faults, fleet, journal, offers, openAccount, twoFactor } = parts
  const control = new Hono<ServiceEnv>()
  const read = <T>(schema: z.ZodType<T>, body: Buffer): T => parsePart('body', schema, parseBody(body))
  const findInstance = (id: string): Instance => fleet.find(null, parsePart('path.id', idSegment, id))

  control.get('/journal', (context) => context.json(journal.entries()))
  control.route('/', createTwoFactorControl(twoFactor))

  control.post('/clock', async (context) => {
    const { advance_seconds: seconds } = read(clockBody, context.get('body'))
    if (clock.now() + seconds * 1000 > LATEST_MS)
      throw badRequest('body.advance_seconds: no date of a reply can be later than the year 9999')
    await clock.advance(seconds)
    return context.json({ now: clock.nowSeconds() })
  })

  control.post('/faults', (context) => {
    faults.add(...read(z.array(faultSchema), context.get('body')))
    return context.json({ waiting: faults.waiting() })
  })
  control.delete('/faults', (context) => {
    faults.clear()
    return context.json({ waiting: [] })
  })

  control.post('/account', (context) => {
    const order = read(accountBody, context.get('body'))
    const { key, twoFactor: held } = openAccount(order.name, {
      categories: order.categories,
      sshKey: order.ssh_key,
      underScopedStatus: order.under_scoped_status,
      isKeyInstalled: order.installs_ssh_key,
      instances: order.instances,
      email: order.email,
      emailVerified: order.email_verified,
      phoneNumber: order.phone_number,
      twoFactorMethods: order.tfa_methods,
    })
    return context.json({ key, ...(held.methods.length > 0 ? { tfa: held } : {}) })
  })

  control.post('/keys', (context) => {
    const { of, categories } = read(newKeyBody, context.get('body'))
    return context.json({ key: accounts.createKey(of, categories) })
  })
  control.delete('/keys', (context) => {
    accounts.revoke(read(goneKeyBody, context.get('body')).key)
    return context.json({ success: true })
  })

  control.post('/offers/:id', (context) => {
    const id = parsePart('path.id', idSegment, context.req.param('id'))
    offers.change(id, read(offerBody, context.get('body')))
    return context.json({ success: true })
  })

  control.post('/next-fate', (context) => {
    const fate = read(nextFateBody, context.get('body'))
    fleet.planNextFate({ actualStatus: fate.actual_status, afterSeconds: fate.after_seconds })
    return context.json({ success: true })
  })
  control.post('/next-stop', (context) => {
    const end = read(nextStopBody, context.get('body'))
    fleet.planNextStop({ actualStatus: end.actual_status, listsState: end.lists_state })
    return context.json({ success: true })
  })
  control.post('/instances/:id/fate', async (context) => {
    const { actual_status: actualStatus } = read(fateBody, context.get('body'))
    await fleet.setStatus(findInstance(context.req.param('id')), actualStatus)
    return context.json({ success: true })
  })
  control.post('/instances/:id/sshd', async (context) => {
    const { state } = read(sshdBody, context.get('body'))
    await fleet.setSshd(findInstance(context.req.param('id')), state)
    return context.json({ success: true })
  })
  control.post('/instances/:id/ssh', async (context) => {
    const { address, blocked } = read(sshBody, context.get('body'))
    await fleet.blockSsh(findInstance(context.req.param('id')), address, blocked)
    return context.json({ success: true })
  })
  control.post('/instances/:id/host-key', async (context) => {
    await fleet.replaceHostKey(findInstance(context.req.param('id')))
    return context.json({ success: true })
  })

  const guarded = new Hono<ServiceEnv>()
  guarded.use(refuseLongBody)
  refuseOtherMethods(guarded, control.routes)
  guarded.route('/', control)
  guarded.all('*', ({ req }) => {
    throw new ApiError(404, 'not_found', `the simulator has no control ${req.method} ${req.path}`)
  })
  return guarded
}
