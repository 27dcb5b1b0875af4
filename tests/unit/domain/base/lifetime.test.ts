import { describe, expect, test } from 'vitest'
import { Lifetime } from '#domain/base/lifetime.ts'

/** A task that tells when it is begun and when it ends, a while after the signal. */
function setUp() {
  const lifetime = new Lifetime()
  const told: string[] = []
  const follow = (name: string): void =>
    lifetime.follow(async (signal) => {
      told.push(`${name} begins`)
      if (!signal.aborted)
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve, { once: true })
        })
      await Promise.resolve()
      told.push(`${name} ends`)
    })
  return { lifetime, told, follow }
}

describe('a lifetime', () => {
  test('begins what is followed when it starts, in order', () => {
    const { lifetime, told, follow } = setUp()
    follow('list')
    follow('guards')
    expect(told).toEqual([])
    lifetime.start()
    expect(told).toEqual(['list begins', 'guards begins'])
  })

  test('ends what stands first, the last one begun first and side by side, then what is followed', async () => {
    const { lifetime, told, follow } = setUp()
    follow('list')
    const shells = Promise.withResolvers<undefined>()
    lifetime.onEnd(async () => {
      told.push('shells are asked to end')
      await shells.promise
      told.push('shells have ended')
    })
    lifetime.onEnd(() => void told.push('forwards have ended'))
    lifetime.start()
    const ended = lifetime.end().then(() => told.push('all has ended'))
    expect(told.slice(1)).toEqual(['forwards have ended', 'shells are asked to end'])
    expect(lifetime.signal.aborted).toBe(false)
    shells.resolve(undefined)
    await ended
    expect(told.slice(3)).toEqual(['shells have ended', 'list ends', 'all has ended'])
  })

  test('stops what is followed while what stands goes on', async () => {
    const { lifetime, told, follow } = setUp()
    follow('list')
    lifetime.onEnd(() => void told.push('forwards have ended'))
    lifetime.start()
    lifetime.stop()
    await Promise.resolve()
    await Promise.resolve()
    expect(told).toEqual(['list begins', 'list ends'])
    await lifetime.end()
    expect(told.at(-1)).toBe('forwards have ended')
  })
})
