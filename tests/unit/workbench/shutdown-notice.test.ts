import { expect, test } from 'vitest'
import { ShutdownNotice } from '#services/workbench/shutdown-notice.ts'
import { settle } from '../../support/fake-clock.ts'

/** A page that needs as long as it is told to. */
function page(shutdownNotice: ShutdownNotice) {
  const done = new AbortController()
  const told: string[] = []
  const listening = (async () => {
    for await (const word of shutdownNotice.watch(done.signal)) told.push(word)
  })()
  return { told, finish: () => done.abort(), listening }
}

test('it waits for every page that listens, and for none that has gone', async () => {
  const shutdownNotice = new ShutdownNotice()
  const [slow, quick, gone] = [page(shutdownNotice), page(shutdownNotice), page(shutdownNotice)]
  await settle()
  gone.finish()
  await gone.listening

  let isOver = false
  const telling = shutdownNotice.tell().then(() => (isOver = true))
  await settle()
  expect([slow.told, quick.told, gone.told]).toEqual([['ending'], ['ending'], []])
  quick.finish()
  await settle()
  expect(isOver).toBe(false)
  slow.finish()
  await telling
  expect(isOver).toBe(true)
})
