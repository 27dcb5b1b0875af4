// Prints what main takes while it watches the figures of instances: `--expose-gc figures-child.ts <order as JSON>`.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { Latest } from '#domain/base/latest.ts'
import { Lifetime } from '#domain/base/lifetime.ts'
import { nothingListed } from '#domain/instances/instance.ts'
import { preferences } from '#domain/settings/settings.ts'
import { openFigures } from '#services/figures/open-figures.ts'
import { createConnections } from '#services/ssh/connection/connections.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'

const order = z
  .object({
    address: z.object({ host: z.string(), port: z.number() }),
    user: z.string(),
    privateKey: z.string(),
    knownHostsFile: z.string(),
    instances: z.number(),
    spanMs: z.number(),
  })
  .parse(JSON.parse(process.argv[2] ?? 'null'))

const log = { info: () => undefined, warn: () => undefined, error: () => '' }
const clock = systemClock
const identities = { keys: [{ name: 'bench', privateKey: order.privateKey }], agentSocket: null, skipped: [] }
// All of them are one sshd: it takes a connection from each.
const connections = createConnections({
  findTarget: () => Promise.resolve({ kind: 'address', address: order.address }),
  user: () => order.user,
  identities: () => Promise.resolve(identities),
  knownHostsFile: order.knownHostsFile,
  ...{ clock, log, random: () => 0.5 },
})
const instances = Array.from({ length: order.instances }, (_, index) => ({
  ...{ id: index + 1, status: 'running', history: [], pending: null },
  record: { id: index + 1, ssh_host: order.address.host, ssh_port: order.address.port, dph_total: 1 },
}))
const lifetime = new Lifetime()
const figures = openFigures(
  {
    ...{ connections, clock, log, notify: () => undefined, randomId: () => crypto.randomUUID() },
    machineScripts: join(import.meta.dirname, '../../../resources/machine'),
    watch: { snapshot: new Latest({ ...nothingListed, instances, fetchedAt: Date.now() }) },
    preferences: new Latest(preferences.parse({ showsAllFigures: true })),
  },
  lifetime,
)
lifetime.start()

let live = 0
async function look(): Promise<void> {
  for await (const all of figures.all.watchAll()) live = all.filter(({ kind }) => kind === 'live').length
}
void look()
while (live < order.instances) await sleep(200)
// What was compiled and allocated to connect is over.
await sleep(3_000)
for (let round = 0; round < 4; round += 1) globalThis.gc?.()
const { heapUsed, external } = process.memoryUsage()
const before = process.cpuUsage()
const begun = performance.now()
await sleep(order.spanMs)
const { user, system } = process.cpuUsage(before)
console.log(
  JSON.stringify({
    cpuPercent: ((user + system) / 1_000 / (performance.now() - begun)) * 100,
    memoryMb: (heapUsed + external) / 1e6,
  }),
)
await lifetime.end()
process.exit()
