import type { Writable } from 'node:stream'
import type { Client } from 'ssh2'
import { at, isHandler, isObject, type Handler } from './inside.ts'
import { mostLineBytes } from './limits.ts'

/**
 * Lets channels wait while as much as may waits on the line of their connection. ssh2 1.17 writes whatever the host's
 * windows allow, read or not: a host that allows 4 GiB and stops reading had all of an upload in memory. To be called
 * right after `client.connect`.
 *
 * @returns whether the inside of ssh2 was as expected
 */
export function waitForRoom(client: Client, line: Writable): boolean {
  const channels = at(client, '_chanMgr')
  const update = at(channels, 'update')
  if (!isObject(channels) || !isHandler(update)) return false
  /** Writes that go on when the line is empty again. */
  let waiting: (() => void)[] = []
  const goOn = (): void => {
    const ready = waiting
    waiting = []
    for (const done of ready) done()
  }
  const whenThereIsRoom = (done: () => void): void => {
    if (line.writableLength <= mostLineBytes) return done()
    // One listener for all: there may be hundreds of channels.
    if (waiting.push(done) === 1) line.once('drain', goOn)
  }
  // Called for each channel, when the host has confirmed it or opened it itself.
  Reflect.set(channels, 'update', ((...told) => {
    const channel = told[1]
    const write = at(channel, '_write')
    if (isObject(channel) && isHandler(write))
      Reflect.set(channel, '_write', ((data, encoding, done) =>
        write.call(channel, data, encoding, (error: unknown) => {
          whenThereIsRoom(() => {
            if (isHandler(done)) done(error)
          })
        })) satisfies Handler)
    return update.apply(channels, told)
  }) satisfies Handler)
  return true
}
