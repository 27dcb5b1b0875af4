import type { Page } from '@playwright/test'

/** More than any page has in several rounds. */
const mostStops = 800

interface Stop {
  readonly name: string
  readonly wasSeen: boolean
  readonly isHidden: boolean
}

/**
 * Goes round a page by Tab, until a whole round has brought nothing new: what comes or goes meanwhile may take the
 * keyboard back to where it was.
 *
 * @returns how many stops there are, and which of them cannot be seen at all while they have the keyboard, because
 *   something lies over them or they are not scrolled to (WCAG 2.2, 2.4.11)
 */
export async function stopsByTab(
  page: Page,
): Promise<{ readonly count: number; readonly hidden: readonly string[] }> {
  await page.evaluate(() => Reflect.set(window, 'stopsSeen', new WeakSet()))
  const hidden: string[] = []
  let count = 0
  let seenInTurn = 0
  for (let stop = 0; stop < mostStops; stop += 1) {
    await page.keyboard.press('Tab')
    const seen = await look(page)
    // Between the last one and the first one the keyboard is with nothing of the page.
    if (seen === null) continue
    if (seen.isHidden && (await isHiddenAgain(page))) hidden.push(seen.name)
    if (seen.wasSeen) seenInTurn += 1
    else [count, seenInTurn] = [count + 1, 0]
    if (seenInTurn >= count && count > 0) return { count, hidden }
  }
  throw new Error(`The keyboard does not come round in ${mostStops} stops`)
}

/** What is loaded late may have pushed it away: come to anew, it must be in sight. */
async function isHiddenAgain(page: Page): Promise<boolean> {
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  return (await look(page))?.isHidden === true
}

/** At what has the keyboard now; `null` when nothing of the page has it. */
function look(page: Page): Promise<Stop | null> {
  return page.evaluate(() => {
    const active = document.activeElement
    const seen: unknown = Reflect.get(window, 'stopsSeen')
    if (active === null || active === document.body || !(seen instanceof WeakSet)) return null
    const wasSeen = seen.has(active)
    seen.add(active)

    // What is drawn in place of an input that is not.
    const isDrawn = active.getBoundingClientRect().width > 2
    const drawn = isDrawn ? active : (active.closest('label') ?? active)
    const { left, right, top, bottom } = drawn.getBoundingClientRect()
    const shares = [0.1, 0.3, 0.5, 0.7, 0.9]
    const isSeenAt = (x: number, y: number): boolean => {
      // None outside of the window; one that it stands in does not lie over it.
      const first = document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y)
      return first !== null && (drawn.contains(first) || first.contains(drawn))
    }
    const name = `${active.tagName.toLowerCase()} ${active.getAttribute('aria-label') ?? active.id} “${(active.textContent ?? '').trim().slice(0, 40)}”`
    return { name, wasSeen, isHidden: !shares.some((x) => shares.some((y) => isSeenAt(x, y))) }
  })
}
