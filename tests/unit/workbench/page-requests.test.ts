import { expect, test } from 'vitest'
import { PageRequests } from '#services/workbench/page-requests.ts'

test('a request waits for its page, and is done once', async () => {
  const pageRequests = new PageRequests()
  pageRequests.give({ kind: 'instance', id: 1 })
  pageRequests.give({ kind: 'instance', id: 2 })
  const first = pageRequests.watch()
  expect((await first.next()).value).toEqual({ kind: 'instance', id: 2 })
  const end = new AbortController()
  const second = pageRequests.watch(end.signal)
  const next = second.next()
  pageRequests.give({ kind: 'command', id: 'offers' })
  expect((await next).value).toEqual({ kind: 'command', id: 'offers' })
  end.abort()
  expect((await second.next()).done).toBe(true)
})
