import { expect, test, vi } from 'vitest'

vi.mock('electron', () => ({ Menu: {} }))
const { contextMenuTemplate } = await import('../../../src-main/desktop/context-menu.ts')

const everything = {
  canUndo: true,
  canRedo: true,
  canCut: true,
  canCopy: true,
  canPaste: true,
  canDelete: true,
  canSelectAll: true,
  canEditRichly: false,
}

function build(params: { isEditable: boolean; selectionText: string; flags?: Partial<typeof everything> }) {
  const done: string[] = []
  const page = Object.fromEntries(
    ['undo', 'cut', 'copy', 'paste', 'selectAll'].map((name) => [name, () => void done.push(name)]),
  ) as unknown as Parameters<typeof contextMenuTemplate>[1]
  const items = contextMenuTemplate({ ...params, editFlags: { ...everything, ...params.flags } }, page)
  const click = (label: string): void => {
    const click = items.find((item) => item.label === label)?.click
    Reflect.apply(click ?? ((): never => expect.fail(`no ${label}`)), undefined, [])
  }
  const labels = items.flatMap(({ label }) => label ?? [])
  const enabled = items.flatMap(({ label, enabled }) =>
    label !== undefined && enabled === true ? label : [],
  )
  return { labels, enabled, click, done }
}

test('a text field has what is done to its text, each on the page that was clicked', () => {
  const { labels, enabled, click, done } = build({ isEditable: true, selectionText: '' })
  expect(labels).toEqual(['Undo', 'Cut', 'Copy', 'Paste', 'Select all'])
  expect(enabled).toEqual(labels)
  for (const label of labels) click(label)
  expect(done).toEqual(['undo', 'cut', 'copy', 'paste', 'selectAll'])
})

test('what Chromium does not allow is shown and cannot be chosen: nothing is copied from a password field', () => {
  const flags = { canUndo: false, canCut: false, canCopy: false }
  const { enabled } = build({ isEditable: true, selectionText: 'secret', flags })
  expect(enabled).toEqual(['Paste', 'Select all'])
})

test('selected text can be copied', () => {
  expect(build({ isEditable: false, selectionText: 'an address' }).labels).toEqual(['Copy'])
})

test.each([
  { isEditable: false, selectionText: '' },
  { isEditable: false, selectionText: ' \n' },
  { isEditable: false, selectionText: 'hidden', flags: { canCopy: false } },
])('elsewhere there is no menu: %o', (params) => {
  expect(build(params).labels).toEqual([])
})
