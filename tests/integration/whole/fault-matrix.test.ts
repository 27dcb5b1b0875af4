import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fromParts } from '#contract/parts.ts'
import { emptyContent } from '#domain/templates/template-content.ts'
import { formOf } from '#domain/templates/template-form.ts'
import type { Problem } from '#domain/base/problem.ts'
import { template, type Template } from '#domain/templates/template.ts'
import type { Attempt } from '#ui/problems/attempt.ts'
import { call, search, show } from '../simulator/caller.ts'
import { createTemplate, findTemplates } from '../simulator/template-caller.ts'
import { listNow, now, outcomeOf, type Scene, startScene } from './fault-scene.ts'
import { bucket, rentRequestFor } from './requests.ts'
import { anyOf, expectTold, isPassingTrouble, lost, type Trouble, troubles } from './troubles.ts'

// Every endpoint with every fault: what is told, how things stand afterwards, how often was asked. 2FA has its own file.

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ instances: 3 * troubles.length })
  await call(truth(), 'POST', `${api}/users/cloud/`, { body: bucket('listed') })
  // What is asked at the start is over.
  await scene.clock.pass(5000)
})
afterAll(() => scene.close())

interface Endpoint {
  readonly method: string
  /** As the simulator's faults take it. */
  readonly path: string
  readonly attempt: Attempt
  readonly repeatable?: true
  /** It isn't waited for longer, with all its tries. */
  readonly patienceMs?: number
  /** Does what asks the endpoint, and answers with what is told; further checks are its own. */
  readonly use: (trouble: Trouble) => Promise<{
    readonly told: Problem | null
    /** To be called when the service is well again. */
    readonly afterwards?: () => Promise<void>
  }>
}
const api = '/api/v0'

const endpoints: Readonly<Record<string, Endpoint>> = {
  'the account': {
    method: 'GET',
    path: `${api}/users/current/`,
    attempt: 'load',
    repeatable: true,
    use: async () => {
      await scene.clock.quickly(scene.client.accounts.key.check())
      const state = await now(scene.client.accounts.key.watch())
      if (state.kind === 'none') throw new Error('the account is gone')
      // What was known stays.
      expect(state.user).not.toBeNull()
      return {
        told: state.problem,
        afterwards: async () => {
          await scene.clock.quickly(scene.client.accounts.key.check())
          expect(await now(scene.client.accounts.key.watch())).toMatchObject({ problem: null })
        },
      }
    },
  },
  'a search for offers': {
    method: 'POST',
    path: `${api}/bundles/`,
    attempt: 'search',
    repeatable: true,
    use: async () => {
      const query = { filters: {}, order: [], type: 'on-demand', limit: 3 }
      const { value, problem } = await outcome(scene.client.offers.search(query).then(fromParts))
      if (value !== null) expect(value.records).toHaveLength(3)
      return { told: problem }
    },
  },
  'the list of instances': {
    method: 'GET',
    path: `${api}/instances/`,
    attempt: 'load',
    use: async () => {
      await scene.clock.quickly(scene.client.instances.refresh())
      const { instances, problem } = await listNow(scene.client)
      expect(instances).not.toBeNull()
      return {
        told: problem,
        afterwards: async () => {
          await scene.clock.quickly(scene.client.instances.refresh())
          expect((await listNow(scene.client)).problem).toBeNull()
        },
      }
    },
  },
  // Where a connection to it is to go.
  'one instance': {
    method: 'GET',
    path: `${api}/instances/*/`,
    attempt: 'load',
    repeatable: true,
    patienceMs: 5_000,
    use: async (trouble) => {
      // From the end: what is stopped and destroyed is taken from the beginning. None of them was connected to before.
      const id = (await ids()).at(-1 - troubles.indexOf(trouble))
      if (id === undefined) throw new Error('there are too few instances')
      const connect = async () => {
        await scene.clock.quickly(scene.client.files.listRemote({ instanceId: id, path: '', step: null }))
        const connections = await now(scene.client.ssh.connections.watch())
        return connections.find(({ instanceId }) => instanceId === id)
      }
      // Where the list has it; no machine is there.
      const state = { kind: 'failed', address: { host: '127.0.0.1', port: 9 } }
      const problem = { kind: 'unreachable', detail: { code: 'no-address' } }
      const refused = { kind: 'failed', address: null, problem }
      const isRefused = trouble.problem?.kind === 'refused'
      const found = await connect()
      expect(found?.state).toMatchObject(isRefused ? refused : state)
      // The last known address is told as such.
      expect(found?.addressAsOf !== undefined).toBe(trouble.problem !== null && !isRefused)
      const answered = { state: expect.objectContaining(state) as unknown, instanceId: id }
      return {
        told: trouble.problem && anyOf(trouble),
        afterwards: async () => expect(await connect()).toEqual(answered),
      }
    },
  },
  'a rental': {
    method: 'PUT',
    path: `${api}/asks/*`,
    attempt: 'rent',
    use: async (trouble) => {
      const before = await ids()
      const { value, problem } = await outcome(scene.client.renting.rent(await order()))
      const isLost = value?.kind === 'reply-lost'
      return {
        told: isLost ? lost(trouble) : problem,
        afterwards: async () => {
          // Long enough for a machine to be listed that was rented.
          await scene.clock.pass(60_000)
          const rented = (await ids()).filter((id) => !before.includes(id))
          expect(rented).toHaveLength(trouble.works ? 1 : 0)
          const { notices } = await listNow(scene.client)
          const [id] = rented
          const outcome = id === undefined ? { kind: 'nothing-created' } : { kind: 'adopted', instanceId: id }
          expect(notices).toMatchObject(isLost ? [{ outcome }] : [])
          for (const notice of notices) await scene.client.renting.dismissNotice({ id: notice.id })
        },
      }
    },
  },
  'a stop': {
    method: 'PUT',
    path: `${api}/instances/*`,
    attempt: 'stop',
    use: async (trouble) => useAction(trouble, 'stop'),
  },
  'a destroy': {
    method: 'DELETE',
    path: `${api}/instances/*`,
    attempt: 'destroy',
    use: async (trouble) => useAction(trouble, 'destroy'),
  },
  'a search for templates': {
    method: 'GET',
    path: `${api}/template/`,
    attempt: 'search',
    repeatable: true,
    use: async () => ({ told: (await outcome(scene.client.templates.search({ filters: {} }))).problem }),
  },
  'a new template': {
    method: 'POST',
    path: `${api}/template/`,
    attempt: 'save',
    use: async (trouble) => {
      const name = `New, ${trouble.name}`
      const draft = { ...draftOf(name), origin: { kind: 'new' } as const }
      const { value, problem } = await outcome(scene.client.templates.save(draft))
      const isLost = value?.kind === 'not-saved' || (value?.kind === 'saved' && value.wasLost)
      return {
        told: isLost ? lost(trouble) : problem,
        afterwards: async () => {
          const named = await templates({ name: { eq: name } })
          expect(named).toHaveLength(trouble.works ? 1 : 0)
          expect(value?.kind).toBe(problem !== null ? undefined : trouble.works ? 'saved' : 'not-saved')
          // What is not known to be saved is still there to be saved.
          expect((await kept(draft.id)) === null).toBe(value?.kind === 'saved')
        },
      }
    },
  },
  'an edit of a template': {
    method: 'PUT',
    path: `${api}/template/`,
    attempt: 'save',
    use: async (trouble) => {
      const base = await makeTemplate(`Before ${trouble.name}`)
      const name = `Edited, ${trouble.name}`
      const draft = { ...draftOf(name), origin: { kind: 'edit', base } as const }
      const { value, problem } = await outcome(scene.client.templates.save(draft))
      const isLost = value?.kind === 'not-saved' || (value?.kind === 'saved' && value.wasLost)
      return {
        // What was refused is looked at, too: the template tells.
        told: isLost ? (trouble.works ? anyOf(trouble) : lost(trouble)) : problem,
        afterwards: async () => {
          expect(await templates({ id: { eq: base.id } })).toMatchObject([
            { name: trouble.works ? name : base.name },
          ])
          expect((await kept(draft.id)) === null).toBe(value?.kind === 'saved')
        },
      }
    },
  },
  'the deletion of a template': {
    method: 'DELETE',
    path: `${api}/template/`,
    attempt: 'save',
    use: async (trouble) => {
      const { id } = await makeTemplate(`Gone ${trouble.name}`)
      const { value, problem } = await outcome(scene.client.templates.remove({ id }))
      const isLost = value?.kind === 'not-deleted' || (value?.kind === 'deleted' && value.wasLost)
      return {
        told: isLost ? lost(trouble) : problem,
        afterwards: async () => {
          expect(await templates({ id: { eq: id } })).toHaveLength(trouble.works ? 0 : 1)
          expect(value?.kind === 'deleted').toBe(trouble.works && problem === null)
        },
      }
    },
  },
  'the cloud connections': {
    method: 'GET',
    path: `${api}/users/cloud/`,
    attempt: 'load',
    repeatable: true,
    use: async (trouble) => {
      const { value, problem } = await outcome(scene.client.cloud.list())
      // One that makes no sense is counted, and spoils no other.
      const isSaid = value !== null && value.unreadable > 0
      return { told: isSaid ? anyOf(trouble) : problem }
    },
  },
  'a new cloud connection': {
    method: 'POST',
    path: `${api}/users/cloud/`,
    attempt: 'save',
    use: async (trouble) => {
      const { value, problem } = await outcome(scene.client.cloud.add(bucket(trouble.name)))
      const isLost = value?.kind === 'lost'
      if (isLost) expect(value.found).toHaveLength(trouble.works ? 1 : 0)
      return {
        told: isLost ? lost(trouble) : problem,
        afterwards: async () => {
          const { connections } = await scene.clock.quickly(scene.client.cloud.list())
          const found = connections.filter(({ user_given_name: name }) => name === trouble.name)
          expect(found).toHaveLength(trouble.works ? 1 : 0)
        },
      }
    },
  },
}

describe.each(Object.entries(endpoints))('%s', (_, { method, path, attempt, use, ...how }) => {
  test.each(troubles)('$name', async (trouble) => {
    const end = scene.play(trouble, method, path)
    const { told, afterwards } = await use(trouble)
    const requests = end()
    expectTold(told, trouble, attempt)
    expect(requests).toBe(how.repeatable && isPassingTrouble(trouble, how.patienceMs) ? 3 : 1)
    await afterwards?.()
  })
})

const outcome = <T>(call: Promise<T>) => scene.clock.quickly(outcomeOf(call))

let machines = 0
/** A stop or destroy of an instance that nothing was done with yet. */
async function useAction(trouble: Trouble, action: 'stop' | 'destroy') {
  const all = await ids()
  machines += 1
  const id = all[machines]
  if (id === undefined) throw new Error('there are too few instances')
  const { problem } = await outcome(scene.client.instances[action]({ id }))
  const pending = (await listed(id))?.pending ?? null
  // Where it can have worked all the same, the list tells, with why that is not known; else the call does.
  if (problem !== null) expect(pending).toBeNull()
  const isUnknown = trouble.problem !== null && problem === null
  return {
    told: isUnknown ? (pending?.failure ?? lost(trouble)) : problem,
    afterwards: async () => {
      if (isUnknown && !trouble.works) expect(pending).toMatchObject({ action })
      await scene.clock.pass(60_000)
      const isThere = (await ids()).includes(id)
      const isDone = action === 'destroy' ? !isThere : (await intended(id)) === 'stopped'
      expect(isDone).toBe(trouble.works)
      // What did not work and is not known to have is asked for no more, but goes on being told.
      const isTold = async () => Boolean((await listed(id))?.pending)
      await expect.poll(isTold).toBe(isUnknown && !trouble.works)
      expect((await listed(id)) === undefined).toBe(action === 'destroy' && trouble.works)
      await scene.client.instances.forgetAction({ id })
    },
  }
}

async function listed(id: number) {
  return (await listNow(scene.client)).instances?.find((one) => one.id === id)
}

/** What the service itself says, without any fault. */
const truth = () => ({ baseUrl: scene.service.baseUrl, key: scene.key })

async function ids(): Promise<readonly number[]> {
  const { body } = await call(truth(), 'GET', `${api}/instances/`)
  const shape = z.object({ instances: z.array(z.object({ id: z.number() })) })
  return shape.parse(body).instances.map(({ id }) => id)
}

const intended = async (id: number): Promise<string> => (await show(truth(), id)).intended_status

const templates = (filters: object) => findTemplates(truth(), filters)

async function makeTemplate(name: string): Promise<Template> {
  return template.parse(await createTemplate(truth(), { name }))
}

const draftOf = (name: string) => ({
  id: randomUUID(),
  form: formOf({ ...emptyContent, name, image: 'ubuntu' }),
})
const kept = (id: string) => scene.client.templates.readDraft({ id })

/** Of an offer that is free. */
async function order() {
  const [offer] = await search(truth(), { rentable: { eq: true }, limit: 1 })
  return rentRequestFor(offer?.id ?? 0)
}
