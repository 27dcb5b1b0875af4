import type { Page } from '@playwright/test'

/** More than any page has controls. */
const mostStops = 200

interface Stop {
  readonly name: string
  readonly wasSeen: boolean
  readonly isHidden: boolean
}

/**
 * Goes once round a page by Tab.
 *
 * @returns how many stops there are, and which of them cannot be seen at all while they have the keyboard, because
 *   something lies over them or they are not scrolled to (WCAG 2.2, 2.4.11)
 */
export async function stopsByTab(
  page: Page,
): Promise<{ readonly count: number; readonly hidden: readonly string[] }> {
  await page.evaluate(() => Reflect.set(window, 'stopsSeen', new WeakSet()))
  const hidden: string[] = []
  for (let count = 0; count < mostStops; count += 1) {
    await page.keyboard.press('Tab')
    const { name, wasSeen, isHidden } = await look(page)
    if (wasSeen) return { count, hidden }
    if (isHidden && (await isHiddenAgain(page))) hidden.push(name)
  }
  throw new Error(`The keyboard does not come round in ${mostStops} stops`)
}

/** What is loaded late may have pushed it away: come to anew, it must be in sight. */
async function isHiddenAgain(page: Page): Promise<boolean> {
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  return (await look(page)).isHidden
}

/** At what has the keyboard now. */
function look(page: Page): Promise<Stop> {
  return page.evaluate(() => {
    const active = document.activeElement
    const seen: unknown = Reflect.get(window, 'stopsSeen')
    // Between the last one and the first one the keyboard is with nothing of the page.
    if (active === null || active === document.body || !(seen instanceof WeakSet))
      return { name: 'nothing', wasSeen: false, isHidden: false }
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
