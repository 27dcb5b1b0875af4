import type { Page } from '@playwright/test'

/** What assistive technology is given of the page. */
async function accessibilityTree(page: Page) {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes
}

/** The live regions that a screen reader knows of at the moment. */
export async function liveRegions(page: Page): Promise<ReadonlySet<number | undefined>> {
  const nodes = await accessibilityTree(page)
  const known = nodes.filter(({ ignored, role }) => !ignored && role?.value === 'status')
  return new Set(known.map(({ backendDOMNodeId }) => backendDOMNodeId))
}

/** The one of them that a text stands in; undefined where it would not be told. */
export async function liveRegionOf(page: Page, text: string): Promise<number | undefined> {
  const nodes = await accessibilityTree(page)
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  let node = nodes.find(({ role, name }) => role?.value === 'StaticText' && name?.value === text)
  while (node !== undefined && node.role?.value !== 'status') node = byId.get(node.parentId ?? '')
  return node?.backendDOMNodeId
}
