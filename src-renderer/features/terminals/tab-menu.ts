import type { TerminalTab } from './terminal-tab.ts'
import type { useTerminalsStore } from './terminals-store.ts'

/** What can be done with a terminal, for the menu of its tab. */
export function tabMenu(tab: TerminalTab, terminals: ReturnType<typeof useTerminalsStore>) {
  const place = terminals.tabs.indexOf(tab)
  return [
    [
      {
        label: 'Rename…',
        icon: 'i-lucide-pencil',
        kbds: ['F2'],
        onSelect: () => void (terminals.renaming = tab),
      },
      {
        label: 'Duplicate',
        icon: 'i-lucide-copy-plus',
        kbds: ['Ctrl', 'Shift', 'D'],
        onSelect: () => terminals.duplicate(tab),
      },
    ],
    [
      {
        label: 'Move left',
        icon: 'i-lucide-arrow-left',
        kbds: ['Ctrl', 'Shift', '←'],
        disabled: place === 0,
        onSelect: () => terminals.move(tab, place - 1),
      },
      {
        label: 'Move right',
        icon: 'i-lucide-arrow-right',
        kbds: ['Ctrl', 'Shift', '→'],
        disabled: place === terminals.tabs.length - 1,
        onSelect: () => terminals.move(tab, place + 1),
      },
    ],
    [
      {
        label: 'Close',
        icon: 'i-lucide-x',
        kbds: ['Ctrl', 'Shift', 'W'],
        onSelect: () => terminals.askToClose(tab),
      },
      {
        label: 'Reopen the last closed',
        icon: 'i-lucide-undo-2',
        kbds: ['Ctrl', 'Shift', 'T'],
        disabled: !terminals.canReopen,
        onSelect: terminals.reopen,
      },
    ],
  ]
}
