import { notifyLabel } from '#shared/notifications/notify-text.ts'
import { filesPage } from '../working-place.ts'
import { groupOf, groupsOf, isSplitIn, type SplitGrowth } from './layout.ts'
import { shortcuts } from '../shortcuts.ts'
import type { TerminalTab } from '../terminal-tab.ts'
import type { useTerminalsStore } from '../terminals-store.ts'

/** What one step of the menu gives a split, in percent. */
const growPercent = 5

/** What can be done with a terminal, for the menu of its tab. */
export function tabMenu(
  tab: TerminalTab,
  terminals: ReturnType<typeof useTerminalsStore>,
  upload: (tab: TerminalTab) => unknown,
) {
  const group = groupOf(terminals.layout, tab.key)
  if (!group) return []
  const place = group.keys.indexOf(tab.key)
  const notifies = terminals.notifies(tab)
  const log = terminals.logOf(tab)
  const isAlone = groupsOf(terminals.layout).length < 2
  const grow = (label: string, icon: string, growth: Pick<SplitGrowth, 'direction' | 'by'>) => ({
    label,
    icon,
    disabled: !isSplitIn(terminals.layout, tab.key, growth.direction),
    onSelect: (event: Event) => {
      // It stays open: one step is seldom enough.
      event.preventDefault()
      terminals.growth = { key: tab.key, ...growth }
    },
  })
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
        kbds: [...shortcuts.of('duplicate')],
        onSelect: () => terminals.duplicate(tab),
      },
      {
        label: 'Browse files',
        icon: 'i-lucide-folder',
        to: filesPage(tab.instanceId, tab.folder.value),
      },
      {
        label: 'Open folder in an editor…',
        icon: 'i-lucide-app-window',
        onSelect: () => void (terminals.editing = tab),
      },
      {
        label: 'Upload files…',
        icon: 'i-lucide-file-up',
        disabled: tab.line.state.value.kind !== 'open',
        onSelect() {
          // What is uploaded says so below its screen, and its path is pasted there.
          terminals.enter(tab)
          void upload(tab)
        },
      },
      {
        label: 'Insert saved command…',
        icon: 'i-lucide-bookmark',
        kbds: [...shortcuts.of('insert-snippet')],
        onSelect() {
          // Its dialog gives the keyboard back to a terminal that is seen.
          terminals.activate(tab)
          terminals.inserting = tab
        },
      },
      {
        label: 'Use tmux or screen…',
        icon: 'i-lucide-layers',
        onSelect: () => void (terminals.choosing = tab),
      },
      {
        label: terminals.broadcast.isChosen(tab.key) ? 'Leave broadcast' : 'Broadcast typing',
        icon: 'i-lucide-radio',
        kbds: [...shortcuts.of('broadcast')],
        onSelect: () => terminals.broadcast.toggle(tab.key),
      },
      {
        label: notifies ? 'Don’t notify when done' : notifyLabel,
        icon: notifies ? 'i-lucide-bell-off' : 'i-lucide-bell',
        disabled: !notifies && tab.line.state.value.kind !== 'open',
        onSelect: () => void tab.line.notifyWhenDone(!notifies),
      },
      log === null || log.end !== null
        ? {
            label: 'Log to file…',
            icon: 'i-lucide-file-text',
            disabled: tab.line.terminalId.value === null,
            onSelect: () => void tab.line.startLog(),
          }
        : {
            label: 'Stop logging',
            icon: 'i-lucide-file-x',
            onSelect: () => void tab.line.stopLog(),
          },
    ],
    [
      {
        label: 'Split right',
        icon: 'i-lucide-square-split-horizontal',
        kbds: [...shortcuts.of('split-row')],
        onSelect: () => terminals.split(tab, 'row'),
      },
      {
        label: 'Split down',
        icon: 'i-lucide-square-split-vertical',
        kbds: [...shortcuts.of('split-column')],
        onSelect: () => terminals.split(tab, 'column'),
      },
    ],
    [
      {
        label: 'Move left',
        icon: 'i-lucide-arrow-left',
        kbds: [...shortcuts.move('←')],
        disabled: place === 0,
        onSelect: () => terminals.move(tab, group.id, place - 1),
      },
      {
        label: 'Move right',
        icon: 'i-lucide-arrow-right',
        kbds: [...shortcuts.move('→')],
        disabled: place === group.keys.length - 1,
        onSelect: () => terminals.move(tab, group.id, place + 1),
      },
      {
        label: 'Move to the next split',
        icon: 'i-lucide-arrow-right-left',
        kbds: [...shortcuts.of('move-to-next-group')],
        disabled: isAlone,
        onSelect: () => void terminals.moveToNextGroup(tab),
      },
      {
        label: 'Go to the next split',
        icon: 'i-lucide-panel-right',
        kbds: [...shortcuts.of('next-group')],
        disabled: isAlone,
        onSelect: () => terminals.enterNextGroup(tab),
      },
      {
        label: 'Resize split',
        icon: 'i-lucide-scaling',
        disabled: isAlone,
        children: [
          grow('Wider', 'i-lucide-unfold-horizontal', { direction: 'row', by: growPercent }),
          grow('Narrower', 'i-lucide-fold-horizontal', { direction: 'row', by: -growPercent }),
          grow('Taller', 'i-lucide-unfold-vertical', { direction: 'column', by: growPercent }),
          grow('Shorter', 'i-lucide-fold-vertical', { direction: 'column', by: -growPercent }),
        ],
      },
    ],
    [
      {
        label: 'Close',
        icon: 'i-lucide-x',
        kbds: [...shortcuts.of('close')],
        onSelect: () => terminals.askToClose(tab),
      },
      {
        label: 'Reopen the last closed terminal',
        icon: 'i-lucide-undo-2',
        kbds: [...shortcuts.of('reopen')],
        disabled: !terminals.canReopen,
        onSelect: terminals.reopen,
      },
    ],
  ]
}
