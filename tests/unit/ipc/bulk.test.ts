import { implement } from '@orpc/server'
import { RPCHandler } from '@orpc/server/message-port'
import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/message-port'
import type { ContractRouterClient } from '@orpc/contract'
import { expect, onTestFinished, test } from 'vitest'
import { bulkSerializer, bulkTransfer } from '#contract/bulk.ts'
import { offers as contract } from '#contract/offers.ts'
import { fromParts, inParts } from '#contract/parts.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'

test('the text of a bulk is written once: its message is an object, all others are JSON', async () => {
  const { search } = contract
  const os = implement({ search })
  const records = [{ id: 7, note: '"' }]
  const handler = new RPCHandler(
    os.router({ search: os.search.handler(() => inParts({ records, unreadable: [], at: 5 })) }),
    { customJsonSerializers: [bulkSerializer], experimental_transfer: bulkTransfer },
  )
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  const posted: unknown[] = []
  port2.addEventListener('message', ({ data }: MessageEvent<unknown>) => posted.push(data))
  handler.upgrade(port1)
  port1.start()
  port2.start()
  const client: ContractRouterClient<{ search: typeof search }> = createORPCClient(
    new RPCLink({ port: port2, customJsonSerializers: [bulkSerializer] }),
  )
  const whole = await fromParts(await client.search(defaultOfferQuery))
  expect(whole.records).toEqual(records)
  expect(posted).toEqual([
    expect.any(String),
    expect.objectContaining({
      p: expect.objectContaining({
        d: expect.objectContaining({ json: expect.objectContaining({ records: '[{"id":7,"note":"\\""}]' }) }),
      }),
    }),
    expect.any(String),
  ])
})

test('a list that ends before all of it has come is refused', async () => {
  const records = Array.from({ length: 1_000 }, (_, id) => ({ id }))
  const parts = inParts({ records, unreadable: [] })
  const cut = (async function* () {
    const { value } = await parts.next()
    if (value) yield value
  })()
  await expect(fromParts(cut)).rejects.toThrow('Of a list of 1000 records 300 came')
})
