import { expect, it } from 'vitest'
import { Frames } from '../../electron-on-chromium/frames.ts'

const url = 'app://slipway/index.html'
const [before, after] = [{}, {}]

it('a document that is shown is the main frame for all that it sends', async () => {
  const frames = new Frames()
  frames.navigated('app://slipway', url)
  const senderFrame = frames.senderFrame(before)
  expect([senderFrame(), senderFrame()?.origin]).toEqual([frames.main, 'app://slipway'])
  await Promise.resolve()
  expect([senderFrame(), frames.senderFrame(before)()]).toEqual([frames.main, frames.main])
})

it('what a document sends while it gives way is delivered, and is not from the main frame', async () => {
  const frames = new Frames()
  frames.navigated('app://slipway', url)
  frames.senderFrame(before)
  frames.navigated('app://slipway', url)
  expect(frames.senderFrame(after)()).toBe(frames.main)
  const late = frames.senderFrame(before)
  expect([late() === null, late() === frames.main]).toEqual([false, false])
  expect(() => late()?.origin).toThrow('disposed')
  await Promise.resolve()
  expect(late()).toBeNull()
})

it('who asks late gets null', async () => {
  const frames = new Frames()
  frames.navigated('app://slipway', url)
  const senderFrame = frames.senderFrame(before)
  await Promise.resolve()
  frames.navigated('app://slipway', url)
  expect(senderFrame()).toBeNull()
})
