import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/message-port'
import { implement } from '@orpc/server'
import { RPCHandler } from '@orpc/server/message-port'
import type { ContractRouterClient } from '@orpc/contract'
import { contract } from '../../src-main/contract/contract.ts'
import { median, type Figure } from './figure.ts'

const rounds = 2_000
const offer = { id: 1, gpu_name: 'RTX 4090', dph_total: 0.342, geolocation: 'Oslo, NO', reliability: 0.996 }

/** What a call between window and main costs, beside a bare message over the same kind of port. */
export async function measureCalls(): Promise<Figure[]> {
  const bare = await bareRoundTrips()
  const call = await calls(1)
  const many = await calls(1_000, 50)
  return [
    {
      name: 'one call over a port, median',
      value: call,
      unit: 'ms',
      beside: `${(call / bare).toFixed(1)} × a bare message and its answer (${bare.toFixed(3)} ms)`,
    },
    {
      name: 'one call with 1,000 offers, median',
      value: many,
      unit: 'ms',
      beside: `${(many / call).toFixed(1)} × the small call`,
    },
  ]
}

async function bareRoundTrips(): Promise<number> {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }: MessageEvent<unknown>) => port1.postMessage(data)
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
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

async function calls(offers: number, times = rounds): Promise<number> {
  const reply = { offers: Array.from({ length: offers }, (_, id) => ({ ...offer, id })), at: 0 }
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
