import type { Page } from '@playwright/test'

/**
 * Scrolls a table by some pixels and counts the rows that stay drawn and were rendered anew all the same. Nothing of that
 * is seen, and all rows together are what scrolling costs; so it looks at what Vue keeps of its components.
 *
 * @param table its accessible name
 * @param prop by which a row's component is known: what it's about, with an id
 */
export async function rowsRenderedAnew(
  page: Page,
  options: { readonly table: string; readonly prop: string; readonly px: number },
): Promise<{ readonly stayed: number; readonly anew: number }> {
  return page.evaluate(async ({ table, prop, px }) => {
    interface VueNode {
      readonly component?: { readonly props: Record<string, unknown>; readonly subTree: VueNode } | null
      readonly children?: unknown
    }
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
    /** What was rendered last of each row, by what it's about: another object after each time. */
    const drawn = (): Map<unknown, VueNode> => {
      const rows = new Map<unknown, VueNode>()
      const visit = (node: unknown): void => {
        if (Array.isArray(node)) return node.forEach(visit)
        if (typeof node !== 'object' || node === null) return
        const { component, children } = node as VueNode
        const about = component?.props[prop]
        if (component && typeof about === 'object' && about !== null && 'id' in about)
          rows.set(about.id, component.subTree)
        else visit(component?.subTree ?? children)
      }
      const app: (Element & { _vnode?: unknown }) | null = document.querySelector('#app')
      visit(app?._vnode)
      return rows
    }
    const before = drawn()
    document.querySelector(`table[aria-label="${table}"]`)?.parentElement?.scrollBy(0, px)
    await frame()
    await frame()
    const stayed = [...drawn()].filter(([id]) => before.has(id))
    return { stayed: stayed.length, anew: stayed.filter(([id, node]) => before.get(id) !== node).length }
  }, options)
}
