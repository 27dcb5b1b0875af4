import { Menu, type BaseWindow, type ContextMenuParams, type MenuItemConstructorOptions } from 'electron'

/** What of Electron's WebContents can be asked to change its text. */
export interface EditedPage {
  undo(): void
  cut(): void
  copy(): void
  paste(): void
  selectAll(): void
}

/** The part of Electron's WebContents that is used here. */
export interface MenuSource extends EditedPage {
  on(event: 'context-menu', listener: (event: unknown, params: ContextMenuParams) => void): unknown
}

/**
 * Shows a menu for text fields and for selected text: Electron has none. Where the page has a menu of its own, it keeps
 * the event for itself.
 */
export function offerContextMenu(contents: MenuSource, window: BaseWindow): void {
  contents.on('context-menu', (_event, params) => {
    const template = contextMenuTemplate(params, contents)
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window })
  })
}

/** Empty where there is neither a text field nor selected text. */
export function contextMenuTemplate(
  {
    isEditable,
    selectionText,
    editFlags,
  }: Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'editFlags'>,
  page: EditedPage,
): MenuItemConstructorOptions[] {
  // Chromium knows what may be copied: from a password field, nothing.
  const copy = { label: 'Copy', enabled: editFlags.canCopy, click: () => page.copy() }
  if (!isEditable) return selectionText.trim() === '' || !editFlags.canCopy ? [] : [copy]
  return [
    { label: 'Undo', enabled: editFlags.canUndo, click: () => page.undo() },
    { type: 'separator' },
    { label: 'Cut', enabled: editFlags.canCut, click: () => page.cut() },
    copy,
    { label: 'Paste', enabled: editFlags.canPaste, click: () => page.paste() },
    { type: 'separator' },
    { label: 'Select all', enabled: editFlags.canSelectAll, click: () => page.selectAll() },
  ]
}
