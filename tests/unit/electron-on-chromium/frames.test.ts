import { expect, it } from 'vitest'
import { Frames } from '../../electron-on-chromium/frames.ts'

const url = 'app://slipway/index.html'
const [before, after] = [1, 2]

it('a document that is shown is the main frame for all that it sends', async () => {
  const frames = new Frames()
  frames.navigated(before, 'app://slipway', url)
  const senderFrame = frames.senderFrame(before)
  expect([senderFrame(), senderFrame()?.origin]).toEqual([frames.main, 'app://slipway'])
  await Promise.resolve()
  expect([senderFrame(), frames.senderFrame(before)()]).toEqual([frames.main, frames.main])
})

it('what a document sends while it gives way is delivered, and is not from the main frame', async () => {
  const frames = new Frames()
  frames.navigated(before, 'app://slipway', url)
  frames.navigated(after, 'app://slipway', url)
  const late = frames.senderFrame(before)
  expect(frames.senderFrame(after)()).toBe(frames.main)
  expect([late() === null, late() === frames.main]).toEqual([false, false])
  expect(() => late()?.origin).toThrow('disposed')
  await Promise.resolve()
  expect(late()).toBeNull()
})

it('who asks late gets null', async () => {
  const frames = new Frames()
  frames.navigated(before, 'app://slipway', url)
  const senderFrame = frames.senderFrame(before)
  await Promise.resolve()
  frames.navigated(after, 'app://slipway', url)
  expect(senderFrame()).toBeNull()
})

it('a document that posts before it is known to be shown is waited for', async () => {
  const frames = new Frames()
  const told: string[] = []
  const heard = frames.heardOf(after).then(() => told.push('heard'))
  frames.navigated(before, 'app://slipway', url)
  await new Promise(setImmediate)
  told.push('shown')
  frames.navigated(after, 'app://slipway', url)
  await heard
  expect(told).toEqual(['shown', 'heard'])
  expect(frames.senderFrame(after)()).toBe(frames.main)
})
