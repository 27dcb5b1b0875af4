import { describe, expect, test, vi } from 'vitest'
import type { AppCommandId } from '#domain/workbench/app-commands.ts'

vi.mock('electron', () => ({ Menu: {} }))
const { menuTemplate } = await import('../../../src-main/desktop/menu.ts')

interface Item {
  readonly label?: string
  readonly role?: string
  readonly accelerator?: unknown
  readonly registerAccelerator?: boolean
  readonly enabled?: boolean
  readonly submenu?: unknown
}

function build(platform: NodeJS.Platform, isConnected = true) {
  const ran: AppCommandId[] = []
  const menus = menuTemplate({ platform, isConnected, run: (id) => ran.push(id) })
  const flatten = (items: readonly Item[]): readonly Item[] =>
    items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flatten(item.submenu) : [])])
  return { menus, ran, items: flatten(menus) }
}
const titles = (menus: readonly Item[]) => menus.map(({ label, role }) => label ?? role)

test('a Mac has its own menu in front, with About, Settings, Hide and Quit', () => {
  const { menus, items } = build('darwin')
  expect(titles(menus)).toEqual(['appMenu', 'File', 'editMenu', 'View', 'windowMenu', 'help'])
  const [own] = menus
  expect(titles(Array.isArray(own?.submenu) ? own.submenu : []).filter(Boolean)).toEqual([
    'about',
    'Updates',
    'Settings…',
    'services',
    'hide',
    'hideOthers',
    'unhide',
    'quit',
  ])
  expect(items.find(({ role }) => role === 'close')?.accelerator).toBe('Shift+Command+W')
})

test('a Mac’s menu takes no key with Option, which types characters there', () => {
  const taken = build('darwin').items.flatMap(({ accelerator }) =>
    accelerator === undefined ? [] : [accelerator],
  )
  expect(taken).toEqual(['CommandOrControl+,', 'Shift+Command+W', 'CommandOrControl+K'])
})

describe.each(['linux', 'win32'] as const)('on %s', (platform) => {
  test('the menus are those that people know', () => {
    expect(titles(build(platform).menus)).toEqual(['File', 'Edit', 'View', 'Window', 'Help'])
  })

  test('no key is taken from a terminal: they are shown, and left to the page', () => {
    const taking = build(platform).items.filter(
      ({ accelerator, role, registerAccelerator }) =>
        registerAccelerator !== false && (accelerator !== undefined || role !== undefined),
    )
    expect(taking.map(({ role }) => role)).toEqual(['resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'])
  })

  test('no name has a key of its own, which Alt would open over a shell’s Alt+F', () => {
    for (const { label } of build(platform).items) expect(label ?? '').not.toContain('&')
  })
})

test('an item does what the palette does', () => {
  const { menus, ran } = build('linux')
  const file = menus.find(({ label }) => label === 'File')?.submenu
  const item = Array.isArray(file) ? file.find(({ label }) => label === 'Import template…') : undefined
  Reflect.apply(item?.click ?? (() => undefined), undefined, [])
  expect(ran).toEqual(['import-template'])
})

test('before an account is connected only what needs none can be chosen', () => {
  const off = build('linux', false).items.filter(({ enabled }) => enabled === false)
  const on = build('linux', false).items.filter(({ enabled }) => enabled === true)
  expect(titles(off)).toContain('Offers')
  expect(titles(on)).toEqual([
    'Add an account',
    'Go to…',
    'As the System',
    'Dark',
    'Light',
    'Keyboard shortcuts',
    'Updates',
  ])
})
