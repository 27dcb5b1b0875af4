import { describe, expect, test } from 'vitest'
import { Lifetime, withLifetime } from '#domain/base/lifetime.ts'

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

  test('wakes what was put together first first, as often as the computer slept', () => {
    const { lifetime, told } = setUp()
    for (const name of ['clock', 'connections']) lifetime.onWake(() => void told.push(name))
    lifetime.wake()
    lifetime.wake()
    expect(told).toEqual(['clock', 'connections', 'clock', 'connections'])
  })

  test('ends what stands first, side by side, then what is followed', async () => {
    const { lifetime, told, follow } = setUp()
    follow('list')
    const shells = Promise.withResolvers<undefined>()
    lifetime.lastly(() => void told.push('secrets are forgotten'))
    lifetime.onEnd(async () => {
      told.push('shells are asked to end')
      await shells.promise
      told.push('shells have ended')
    })
    lifetime.onEnd(() => void told.push('forwards have ended'))
    lifetime.start()
    const ended = lifetime.end().then(() => told.push('all has ended'))
    expect(told.slice(1)).toEqual(['shells are asked to end', 'forwards have ended'])
    expect(lifetime.signal.aborted).toBe(false)
    shells.resolve(undefined)
    await ended
    expect(told.slice(3)).toEqual([
      'shells have ended',
      'list ends',
      'secrets are forgotten',
      'all has ended',
    ])
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

  test('ends the others when one can’t end, and says so', async () => {
    const { lifetime, told, follow } = setUp()
    follow('list')
    lifetime.onEnd(() => Promise.reject(new Error('the clipboard is gone')))
    lifetime.onEnd(() => void told.push('forwards have ended'))
    lifetime.start()
    await expect(lifetime.end()).rejects.toThrow('the clipboard is gone')
    expect(told).toEqual(['list begins', 'forwards have ended', 'list ends'])
  })
})

test('what cannot be put together is ended as far as it stands, and the failure is told before one of its end', async () => {
  const ended: string[] = []
  const opening = withLifetime(async (lifetime) => {
    lifetime.onEnd(() => void ended.push('the first part'))
    lifetime.onEnd(() => Promise.reject(new Error('it cannot be ended')))
    await Promise.reject(new Error('the second part fails'))
  })
  await expect(opening).rejects.toThrow('the second part fails')
  expect(ended).toEqual(['the first part'])
})
