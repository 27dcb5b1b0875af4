import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/message-port'
import { implement } from '@orpc/server'
import { RPCHandler } from '@orpc/server/message-port'
import type { ContractRouterClient } from '@orpc/contract'
import { bulkSerializer, bulkTransfer } from '#contract/bulk.ts'
import { contract } from '#contract/contract.ts'
import { fromParts, inParts } from '#contract/parts.ts'
import { median, valueBeside, type Figure } from './figure.ts'
import type { BenchOptions } from './options.ts'
import { takeTurns } from './rounds.ts'

const repeats = 2_000
const offer = { id: 1, gpu_name: 'RTX 4090', dph_total: 0.342, geolocation: 'Oslo, NO', reliability: 0.996 }

/** What a call between window and main costs, beside a bare message over the same kind of port. */
export async function measureCalls({ rounds }: BenchOptions): Promise<Figure[]> {
  const { bare, call, many } = await takeTurns(rounds, {
    bare: bareRoundTrips,
    call: () => calls(0),
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

/** @param offers 0: a call that finds none */
async function calls(offers: number, times = repeats): Promise<number> {
  const records = Array.from({ length: offers }, (_, id) => ({ ...offer, id }))
  const { saveSearch, search } = contract.offers
  const os = implement({ saveSearch, search })
  const handler = new RPCHandler(
    os.router({
      saveSearch: os.saveSearch.handler(() => ({ id: '1' })),
      search: os.search.handler(() => inParts({ records, unreadable: [], at: 0 })),
    }),
    { customJsonSerializers: [bulkSerializer], experimental_transfer: bulkTransfer },
  )
  const { port1, port2 } = new MessageChannel()
  handler.upgrade(port1)
  port1.start()
  port2.start()
  const client: ContractRouterClient<{ saveSearch: typeof saveSearch; search: typeof search }> =
    createORPCClient(new RPCLink({ port: port2, customJsonSerializers: [bulkSerializer] }))
  const query = { filters: {}, order: [], type: 'on-demand', limit: 1 } as const
  const measured: number[] = []
  for (let round = 0; round < times; round += 1) {
    const begun = performance.now()
    if (offers === 0) await client.saveSearch({ id: null, name: 'a search', query: { ...query, order: [] } })
    else await fromParts(await client.search({ ...query, order: [] }))
    measured.push(performance.now() - begun)
  }
  port1.close()
  return median(measured)
}
