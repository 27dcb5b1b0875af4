import { computed, nextTick, ref, shallowRef, type ShallowRef } from 'vue'
import type { Direction, Group, Layout } from '#domain/terminals/terminal-layout.ts'
import {
  addKey,
  groupOf,
  groupsOf,
  moveKey,
  removeKey,
  resizeSplit,
  restoredLayout,
  showKey,
  splitGroup,
  tileGroups,
} from './layout.ts'
import type { TerminalTab } from '../terminal-tab.ts'

/** Where a terminal's tab is put. */
export interface TabPlace {
  /** The group whose tab it becomes; by default the one that is worked in. */
  readonly group?: string
  /** Of its tab among the group's; by default the last. */
  readonly place?: number
  /** Beside or below that group, in a group of its own, instead of among its tabs. */
  readonly split?: Direction
}

/** Where the open terminals stand: in which groups, which are in front, and which one is worked in. */
export function createTabPlaces(tabs: Readonly<ShallowRef<readonly TerminalTab[]>>) {
  const layout = shallowRef<Layout | null>(null)
  const activeKey = ref<string | null>(null)
  const active = computed(() => tabOf(activeKey.value ?? '') ?? null)

  function tabOf(key: string): TerminalTab | undefined {
    return tabs.value.find((tab) => tab.key === key)
  }

  /** In front of its group, and the one that is worked in. */
  function activate(tab: TerminalTab): void {
    if (layout.value) layout.value = showKey(layout.value, tab.key)
    activeKey.value = tab.key
    for (const key of groupsOf(layout.value).map(({ shown }) => shown)) tabOf(key)?.stopRinging()
  }

  /** Brings it to the front and gives it the keyboard. */
  function enter(tab: TerminalTab): void {
    activate(tab)
    tab.screen.focus()
  }

  /** The group that is worked in. */
  function activeGroup(): string {
    const groups = groupsOf(layout.value)
    return (groups.find(({ keys }) => keys.includes(activeKey.value ?? '')) ?? groups[0])?.id ?? 'group'
  }

  /** Gives a new terminal its place; a group that is gone is the one that is worked in. */
  function place(key: string, { group = activeGroup(), place: at = Infinity, split }: TabPlace): void {
    const known = groupsOf(layout.value).some(({ id }) => id === group)
    const target = known ? group : activeGroup()
    layout.value =
      split && layout.value
        ? splitGroup(layout.value, target, { direction: split, key, id: `group-${key}` })
        : addKey(layout.value, target, key, at)
  }

  /** Lets the terminals stand as they stood, and those beside them that have come meanwhile. */
  function restore(last: Layout | null, lastActive: string | null): void {
    const meanwhile = activeKey.value
    layout.value = restoredLayout(
      last,
      layout.value,
      tabs.value.map(({ key }) => key),
    )
    const worked = tabOf(meanwhile ?? lastActive ?? groupsOf(layout.value)[0]?.shown ?? '')
    if (worked) activate(worked)
  }

  /** Moves it to a place among a group's tabs, which may be another's. */
  function move(tab: TerminalTab, groupId: string, at: number): void {
    if (layout.value) layout.value = moveKey(layout.value, tab.key, groupId, at)
    activate(tab)
  }

  /** The group after a terminal's own, round and round; `null` when there is only one. */
  function groupAfter(tab: TerminalTab): Group | null {
    const groups = groupsOf(layout.value)
    const index = groups.findIndex(({ keys }) => keys.includes(tab.key))
    return groups.length < 2 ? null : (groups[(index + 1) % groups.length] ?? null)
  }

  /** Gives the keyboard to the terminal in front of the next group. */
  function enterNextGroup(tab: TerminalTab): void {
    const next = tabOf(groupAfter(tab)?.shown ?? '')
    if (next) enter(next)
  }

  /** Makes it the last tab of the next group, with the keyboard where it was. */
  async function moveToNextGroup(tab: TerminalTab): Promise<void> {
    const next = groupAfter(tab)
    if (!next) return
    move(tab, next.id, next.keys.length)
    // Its screen is lent to another place of the page, and loses the keyboard on the way.
    await nextTick()
    tab.screen.focus()
  }

  /** Takes it out. @returns what comes to the front in its place, if it was the one that is worked in */
  function remove(key: string): TerminalTab | undefined {
    const group = groupOf(layout.value, key)
    if (!group || !layout.value) return undefined
    layout.value = removeKey(layout.value, key)
    if (activeKey.value !== key) return undefined
    const groups = groupsOf(layout.value)
    return tabOf((groups.find(({ id }) => id === group.id) ?? groups[0])?.shown ?? '')
  }

  return {
    layout,
    activeKey,
    active,
    tabOf,
    activate,
    enter,
    place,
    restore,
    move,
    enterNextGroup,
    moveToNextGroup,
    remove,
    /** Gives new terminals their places, all of them in sight. */
    tile(keys: readonly string[]): void {
      layout.value = tileGroups(layout.value, keys)
    },
    resizeSplit(id: string, sizes: readonly number[]): void {
      if (layout.value) layout.value = resizeSplit(layout.value, id, sizes)
    },
  }
}
