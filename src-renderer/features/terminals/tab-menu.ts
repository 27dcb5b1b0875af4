import { groupOf } from './layout.ts'
import type { TerminalTab } from './terminal-tab.ts'
import type { useTerminalsStore } from './terminals-store.ts'

/** What can be done with a terminal, for the menu of its tab. */
export function tabMenu(tab: TerminalTab, terminals: ReturnType<typeof useTerminalsStore>) {
  const group = groupOf(terminals.layout, tab.key)
  if (!group) return []
  const place = group.keys.indexOf(tab.key)
  const other = terminals.groupAfter(tab)
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
      {
        label: 'tmux or screen…',
        icon: 'i-lucide-layers',
        onSelect: () => void (terminals.choosing = tab),
      },
      {
        label: terminals.broadcast.isChosen(tab.key) ? 'Leave the broadcast' : 'Broadcast typing',
        icon: 'i-lucide-radio',
        kbds: ['Ctrl', 'Shift', 'B'],
        onSelect: () => terminals.broadcast.toggle(tab.key),
      },
    ],
    [
      {
        label: 'Split right',
        icon: 'i-lucide-square-split-horizontal',
        kbds: ['Ctrl', 'Shift', 'E'],
        onSelect: () => terminals.split(tab, 'row'),
      },
      {
        label: 'Split down',
        icon: 'i-lucide-square-split-vertical',
        kbds: ['Ctrl', 'Shift', 'O'],
        onSelect: () => terminals.split(tab, 'column'),
      },
    ],
    [
      {
        label: 'Move left',
        icon: 'i-lucide-arrow-left',
        kbds: ['Ctrl', 'Shift', '←'],
        disabled: place === 0,
        onSelect: () => terminals.move(tab, group.id, place - 1),
      },
      {
        label: 'Move right',
        icon: 'i-lucide-arrow-right',
        kbds: ['Ctrl', 'Shift', '→'],
        disabled: place === group.keys.length - 1,
        onSelect: () => terminals.move(tab, group.id, place + 1),
      },
      {
        label: 'Move to the next split',
        icon: 'i-lucide-arrow-right-left',
        disabled: other === null,
        onSelect: () => other && terminals.move(tab, other.id, other.keys.length),
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
