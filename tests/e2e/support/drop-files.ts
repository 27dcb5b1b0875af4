import type { Locator, Page } from '@playwright/test'

/** What Chromium's debugger takes for what is dragged. */
interface Dragged {
  readonly items: { readonly mimeType: string; readonly data: string }[]
  readonly files: string[]
  readonly dragOperationsMask: number
}

const copy = 1

/** Files of this computer, as a file manager drags them. */
export function draggedFiles(files: readonly string[]): Dragged {
  return { items: [], files: [...files], dragOperationsMask: copy }
}

/** Drags over an element, as from another program. @returns lets go there, or drags it on to the corner of the window */
export async function dragOver(page: Page, target: Locator, data: Dragged) {
  const box = await target.boundingBox()
  if (box === null) throw new Error('What is dragged to is not there')
  const at = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) }
  const cdp = await page.context().newCDPSession(page)
  const send = (type: 'dragEnter' | 'dragOver' | 'drop', where = at) =>
    cdp.send('Input.dispatchDragEvent', { type, ...where, data })
  await send('dragEnter')
  await send('dragOver')
  return {
    drop: async () => {
      await send('drop')
      await cdp.detach()
    },
    leave: async () => {
      await send('dragOver', { x: 1, y: 1 })
      await cdp.detach()
    },
  }
}

/** Drops files of this computer on an element, as from another program. */
export async function dropFiles(page: Page, target: Locator, files: readonly string[]): Promise<void> {
  await (await dragOver(page, target, draggedFiles(files))).drop()
}
