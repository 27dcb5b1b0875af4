import { expect } from 'vitest'
import { z } from 'zod'
import type { Simulator } from '../../../simulator/simulator.ts'
import { search, show } from '../caller.ts'
import { anyNumber } from '../expectations.ts'
import {
  ask,
  askPath,
  expectAnswer,
  expectRefusal,
  freeOffer,
  instancePath,
  type Tenant,
  tenantOf,
  withRented,
} from './asking.ts'
import type { Row } from './row.ts'
import { greetingOf } from './ssh-greeting.ts'

const DEAD_ENDS = ['exited', 'unknown', 'offline']

/** What the account is charged in an hour. */
async function chargedInAnHour(simulator: Simulator, tenant: Tenant): Promise<number> {
  const credit = async (): Promise<number> => {
    const body = await expectAnswer(tenant, 'GET', '/api/v0/users/current/')
    return z.object({ credit: z.number() }).parse(body).credit
  }
  const before = await credit()
  await simulator.clock.advance(3600)
  return before - (await credit())
}

/** A running machine with a large disk, so that what it costs can be seen. */
const withRunning = (
  simulator: Simulator,
  use: (tenant: Tenant, id: number, price: { total: number; disk: number }) => Promise<void>,
): Promise<void> => {
  const tenant = tenantOf(simulator)
  return withRented(tenant, { disk: 800 }, async ({ id }) => {
    await simulator.clock.advance(120)
    const { actual_status: status, dph_total: total, storage_total_cost: disk } = await show(tenant, id)
    expect(status).toBe('running')
    await use(tenant, id, { total: Number(total), disk: Number(disk) })
  })
}

export const statusRows: readonly Row[] = [
  ...[null, 'loading', 'running', 'exited', 'unknown', 'offline'].map((status): Row => ({
    section: '3.1',
    says: 'Values: `null` (being provisioned)',
    seen: String(status),
    async check(simulator) {
      const tenant = tenantOf(simulator)
      simulator.instances.planNextFate({ actualStatus: status, afterSeconds: 5 })
      await withRented(tenant, {}, async ({ id }) => {
        await simulator.clock.advance(300)
        const { actual_status: seen, ports } = await show(tenant, id)
        expect(seen).toBe(status)
        // Only what is ready can be reached.
        expect(Object.keys(ports)).toHaveLength(status === 'running' ? 1 : 0)
      })
    },
  })),
  {
    section: '3.1',
    says: '| (none) | create instance (PUT on the offer) | success | `null` |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      const body = await expectAnswer(tenant, 'PUT', askPath(await freeOffer(tenant)), { image: 'ubuntu' })
      expect(body).toMatchObject({ new_contract: anyNumber })
      const { new_contract: id } = z.object({ new_contract: z.int() }).parse(body)
      expect((await show(tenant, id)).actual_status).toBeNull()
      await expectAnswer(tenant, 'DELETE', instancePath(id))
    },
  },
  {
    section: '3.1',
    says: '| `null` | provisioning progresses | | `loading` | |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      await withRented(tenant, {}, async ({ id }) => {
        await simulator.clock.advance(50)
        expect((await show(tenant, id)).actual_status).toBeNull()
        await simulator.clock.advance(10)
        expect((await show(tenant, id)).actual_status).toBe('loading')
      })
    },
  },
  {
    section: '3.1',
    says: '| `loading` | boot completes | | `running` | ready for SSH |',
    async check(simulator) {
      const tenant = tenantOf(simulator)
      await withRented(tenant, {}, async ({ id }) => {
        await simulator.clock.advance(60)
        const { ssh_host: host, ssh_port: port } = await show(tenant, id)
        await expect(greetingOf(host, port)).rejects.toThrow('ECONNREFUSED')
        await simulator.clock.advance(60)
        const running = await show(tenant, id)
        expect(running.actual_status).toBe('running')
        expect(await greetingOf(running.ssh_host, running.ssh_port)).toMatch(/^SSH-2\.0-/)
      })
    },
  },
  ...DEAD_ENDS.map((status): Row => ({
    section: '3.1',
    says: '| `exited`, `unknown`, `offline` | none | | never `running` |',
    seen: status,
    check: (simulator) =>
      withRunning(simulator, async (tenant, id, { disk }) => {
        await simulator.instances.setFate(id, status)
        expect(await chargedInAnHour(simulator, tenant)).toBeCloseTo(disk, 2)
        await expect(simulator.instances.setFate(id, 'running')).rejects.toThrow(status)
        expect((await show(tenant, id)).actual_status).toBe(status)
        // "destroy it and retry with another offer"
        await expectAnswer(tenant, 'DELETE', instancePath(id))
        await withRented(tenant, {}, async (next) => {
          await simulator.clock.advance(120)
          expect((await show(tenant, next.id)).actual_status).toBe('running')
        })
      }),
  })),
  {
    section: '3.1',
    says: '| any | destroy (DELETE) | | removed | all billing stops |',
    check: (simulator) =>
      withRunning(simulator, async (tenant, id, { total }) => {
        expect(await chargedInAnHour(simulator, tenant)).toBeCloseTo(total, 2)
        await expectAnswer(tenant, 'DELETE', instancePath(id))
        await expectRefusal(tenant, ['GET', instancePath(id)], [404, String(id)])
        expect(await chargedInAnHour(simulator, tenant)).toBe(0)
      }),
  },
  ...[null, 'loading', 'stopped', ...DEAD_ENDS].map((status): Row => ({
    section: '3.1',
    says: '| any | destroy (DELETE) | | removed |',
    seen: `from ${String(status)}`,
    check: (simulator) =>
      withRunning(simulator, async (tenant, id) => {
        await simulator.instances.setFate(id, status)
        await expectAnswer(tenant, 'DELETE', instancePath(id))
        expect((await ask(tenant, 'GET', instancePath(id))).status).toBe(404)
      }),
  })),
  {
    section: '3.1',
    says: 'compute billing halts; disk charges continue',
    check: (simulator) =>
      withRunning(simulator, async (tenant, id, { total, disk }) => {
        expect(total).toBeGreaterThan(disk)
        await expectAnswer(tenant, 'PUT', instancePath(id), { state: 'stopped' })
        expect(await chargedInAnHour(simulator, tenant)).toBeCloseTo(disk, 2)
        const [offer] = await search(tenant, { machine_id: { eq: (await show(tenant, id))['machine_id'] } })
        expect(offer).toMatchObject({ rented: true })
      }),
  },
  ...DEAD_ENDS.map((status): Row => ({
    section: '3.1',
    says: 'Transitions into `exited`, `unknown` and `offline`: not shown.',
    seen: `${status} from running, by a scenario`,
    check: (simulator) =>
      withRunning(simulator, async (tenant, id) => {
        await simulator.instances.setFate(id, status)
        expect((await show(tenant, id)).actual_status).toBe(status)
      }),
  })),
]
