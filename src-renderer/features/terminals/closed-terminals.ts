import { computed, shallowRef, type ComputedRef } from 'vue'
import type { StartChoice } from '#domain/terminals/saved-terminals.ts'
import type { ShellWish } from '#domain/terminals/shell-wish.ts'

/** What is needed to open a terminal again: its shell and its screen are gone. */
export interface ClosedTerminal {
  readonly instanceId: number
  readonly name: string | null
  readonly wish: ShellWish
  /** Where its shell was; `null` when it has not told. */
  readonly folder: string | null
  readonly start: StartChoice
  /** Where its tab stood: among which tabs, and at which place. */
  readonly group: string
  readonly place: number
}

export interface ClosedTerminals {
  readonly any: ComputedRef<boolean>
  readonly add: (closed: ClosedTerminal) => void
  /** The one that was closed last; it is forgotten here. */
  readonly take: () => ClosedTerminal | undefined
}

const remembered = 20

export function createClosedTerminals(): ClosedTerminals {
  const list = shallowRef<readonly ClosedTerminal[]>([])
  return {
    any: computed(() => list.value.length > 0),
    add(closed) {
      list.value = [...list.value, closed].slice(-remembered)
    },
    take() {
      const last = list.value.at(-1)
      list.value = list.value.slice(0, -1)
      return last
    },
  }
}
