import type { Page } from '@playwright/test'

/**
 * Makes the window's own words half as long again, as those of another language may be. What users and the service wrote
 * stays: code, cells of tables, and terminals.
 */
export async function lengthenTexts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const others = 'code, pre, td, time, svg, .font-mono, .xterm, .sr-only'
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode
      const [text, parent] = [node.nodeValue ?? '', node.parentElement]
      // On the next page the frame is still there, and long already.
      if (parent === null || parent.closest(others) !== null || text.includes('¬')) continue
      node.nodeValue = text.replaceAll(
        /\p{L}{3,}/gu,
        (word) => `${word}¬${word.slice(0, Math.ceil(word.length / 2) - 1)}`,
      )
    }
  })
}

/**
 * What can't be read or reached because the window is too narrow for it: controls outside of it or cut off, and texts that
 * are cut without a way to read all of them. What scrolls sideways, as tables do, may be wider.
 */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls =
      'a, button, input, textarea, [role="checkbox"], [role="combobox"], [role="radio"], [role="switch"], [role="tab"]'
    const tolerancePx = 2

    const nameOf = (element: Element): string =>
      `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 60)}”`
    const hasOwnText = (element: Element): boolean =>
      [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.nodeValue ?? '').trim() !== '',
      )
    const overflowOf = (element: Element): string => getComputedStyle(element).overflowX
    const cuts = (element: Element): boolean => ['hidden', 'clip'].includes(overflowOf(element))
    const scrolls = (element: Element): boolean => ['auto', 'scroll'].includes(overflowOf(element))
    const isShown = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect()
      return (
        width > tolerancePx && height > tolerancePx && element.checkVisibility({ visibilityProperty: true })
      )
    }
    /** By the window, or by something in it, before anything that scrolls sideways. The page itself only scrolls down. */
    function isCutOff(element: Element): boolean {
      const { left, right } = element.getBoundingClientRect()
      for (let around = element.parentElement; around !== null; around = around.parentElement) {
        const isPage = around.id === 'page'
        if (scrolls(around) && !isPage) return false
        const edges = around.getBoundingClientRect()
        if (isPage && left < edges.left - tolerancePx) return true
        if (
          (isPage || cuts(around)) &&
          right > edges.right + tolerancePx &&
          around.closest('[title]') === null
        )
          return true
      }
      return left < -tolerancePx || right > window.innerWidth + tolerancePx
    }

    const opener = 'button[aria-expanded="false"]:not([aria-haspopup], [role="combobox"])'
    /** By its title, or in the line of notices by the button beside it that opens it. */
    const isReadable = (element: Element): boolean =>
      element.closest('[title]') !== null ||
      (element.closest('p')?.parentElement?.querySelector(`:scope > ${opener}, :scope > div > ${opener}`) ??
        null) !== null

    const found = new Set<string>()
    if (document.documentElement.scrollWidth > window.innerWidth) found.add('the window scrolls sideways')
    for (const element of document.querySelectorAll('body *')) {
      if (element.closest('svg, .xterm, .sr-only') !== null || !isShown(element)) continue
      const hasText = hasOwnText(element)
      if ((hasText || element.matches(controls)) && isCutOff(element))
        found.add(`cut off: ${nameOf(element)}`)
      const isTooLong = element.scrollWidth > element.clientWidth + tolerancePx && cuts(element)
      if (hasText && isTooLong && !isReadable(element)) found.add(`too long: ${nameOf(element)}`)
    }
    return [...found]
  })
}
