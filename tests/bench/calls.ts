import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/message-port'
import { implement } from '@orpc/server'
import { RPCHandler } from '@orpc/server/message-port'
import type { ContractRouterClient } from '@orpc/contract'
import { contract } from '#contract/contract.ts'
import { median, valueBeside, type Figure } from './figure.ts'
import type { BenchOptions } from './options.ts'
import { takeTurns } from './rounds.ts'

const repeats = 2_000
const offer = { id: 1, gpu_name: 'RTX 4090', dph_total: 0.342, geolocation: 'Oslo, NO', reliability: 0.996 }

/** What a call between window and main costs, beside a bare message over the same kind of port. */
export async function measureCalls({ rounds }: BenchOptions): Promise<Figure[]> {
  const { bare, call, many } = await takeTurns(rounds, {
    bare: bareRoundTrips,
    call: () => calls(1),
    many: () => calls(1_000, 50),
  })
  const unit = 'ms'
  return [
    valueBeside({
      name: 'one call over a port',
      subject: call,
      yardstick: bare,
      against: 'a bare message and its answer',
      unit,
    }),
    valueBeside({
      name: 'one call with 1,000 offers',
      subject: many,
      yardstick: call,
      against: 'the small call',
      unit,
    }),
  ]
}

async function bareRoundTrips(): Promise<number> {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }: MessageEvent<unknown>) => port1.postMessage(data)
  const times: number[] = []
  for (let round = 0; round < repeats; round += 1) {
    const begun = performance.now()
    await new Promise((resolve) => {
      port2.onmessage = resolve
      port2.postMessage('x')
    })
    times.push(performance.now() - begun)
  }
  port1.close()
  return median(times)
}

async function calls(offers: number, times = repeats): Promise<number> {
  const reply = {
    offers: Array.from({ length: offers }, (_, id) => ({ ...offer, id })),
    unreadable: [],
    at: 0,
  }
  const { search } = contract.offers
  const os = implement({ search })
  const handler = new RPCHandler(os.router({ search: os.search.handler(() => reply) }))
  const { port1, port2 } = new MessageChannel()
  handler.upgrade(port1)
  port1.start()
  port2.start()
  const client: ContractRouterClient<{ search: typeof search }> = createORPCClient(
    new RPCLink({ port: port2 }),
  )
  const query = { filters: {}, order: [], type: 'on-demand', limit: 1 } as const
  const measured: number[] = []
  for (let round = 0; round < times; round += 1) {
    const begun = performance.now()
    await client.search({ ...query, order: [] })
    measured.push(performance.now() - begun)
  }
  port1.close()
  return median(measured)
}
