import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeWindow, smallestSize, type Bounds } from '../../../src-main/desktop/bounds.ts'

const laptop: Bounds = { x: 0, y: 0, width: 1440, height: 900 }
const monitor: Bounds = { x: 1440, y: -200, width: 2560, height: 1400 }

describe('placeWindow', () => {
  it('centres the first window on the first display', () => {
    expect(placeWindow(null, [laptop, monitor])).toEqual({ x: 80, y: 50, width: 1280, height: 800 })
  })

  it('opens where the window was', () => {
    const was = { x: 1500, y: 0, width: 1600, height: 1000 }
    expect(placeWindow(was, [laptop, monitor])).toEqual(was)
  })

  it('comes back to the first display when the other was unplugged', () => {
    const was = { x: 1600, y: 0, width: 1600, height: 1000 }
    expect(placeWindow(was, [laptop])).toEqual({ x: 80, y: 50, width: 1280, height: 800 })
  })

  it('moves and shrinks a window that hangs over the edge', () => {
    expect(placeWindow({ x: -300, y: 700, width: 1300, height: 2000 }, [laptop])).toEqual({
      x: 0,
      y: 0,
      width: 1300,
      height: 900,
    })
  })

  it('is wholly on a display, and never under the smallest size', () => {
    const side = (least: number, most: number) => fc.integer({ min: least, max: most })
    const area = fc.record({
      x: side(-4000, 4000),
      y: side(-4000, 4000),
      width: side(smallestSize.width, 5000),
      height: side(smallestSize.height, 3000),
    })
    const was = fc.record({ x: fc.integer(), y: fc.integer(), width: side(1, 9000), height: side(1, 9000) })
    fc.assert(
      fc.property(fc.option(was), area, fc.array(area, { maxLength: 3 }), (remembered, primary, others) => {
        const placed = placeWindow(remembered, [primary, ...others])
        expect(placed.width).toBeGreaterThanOrEqual(smallestSize.width)
        expect(placed.height).toBeGreaterThanOrEqual(smallestSize.height)
        const isInside = (display: Bounds) =>
          placed.x >= display.x &&
          placed.y >= display.y &&
          placed.x + placed.width <= display.x + display.width &&
          placed.y + placed.height <= display.y + display.height
        expect([primary, ...others].some(isInside)).toBe(true)
      }),
    )
  })
})
