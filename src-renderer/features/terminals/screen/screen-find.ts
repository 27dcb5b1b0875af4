import { SearchAddon } from '@xterm/addon-search'
import type { Terminal } from '@xterm/xterm'
import { shallowReadonly, shallowRef, type ShallowRef } from 'vue'
import { countedMatches, isSearchable, type FindCount, type FindQuery } from './find-count.ts'
import { readFindColors } from './terminal-theme.ts'

/** Searches a terminal's screen and scrollback, and marks what it finds. */
export interface ScreenFind {
  readonly count: Readonly<ShallowRef<FindCount>>
  /** `here` stays at a match that still fits, as one types. */
  readonly search: (query: FindQuery, where: 'here' | 'next' | 'previous') => void
  /** Draws the marks anew, in the colors that are in force now. */
  readonly recolor: () => void
  /** Takes the marks away; what was shown last stays selected. */
  readonly end: () => void
}

const none: FindCount = { at: null, total: 0 }

export function createScreenFind(terminal: Terminal): ScreenFind {
  const addon = new SearchAddon({ highlightLimit: countedMatches })
  terminal.loadAddon(addon)
  const count = shallowRef(none)
  let last: FindQuery | undefined
  addon.onDidChangeResults(({ resultIndex, resultCount }) => {
    count.value = { at: resultIndex < 0 ? null : resultIndex + 1, total: resultCount }
  })

  function end(): void {
    last = undefined
    addon.clearDecorations()
    count.value = none
  }

  function search(query: FindQuery, where: 'here' | 'next' | 'previous'): void {
    if (query.text === '' || !isSearchable(query)) {
      terminal.clearSelection()
      end()
      return
    }
    // The addon marks anew only for another text, not for other options.
    if (last?.matchCase !== query.matchCase || last.regularExpression !== query.regularExpression)
      addon.clearDecorations()
    last = { ...query }
    const options = {
      caseSensitive: query.matchCase,
      regex: query.regularExpression,
      incremental: where === 'here',
      decorations: readFindColors(),
    }
    if (where === 'previous') addon.findPrevious(query.text, options)
    else addon.findNext(query.text, options)
  }

  return {
    count: shallowReadonly(count),
    search,
    recolor() {
      if (!last) return
      const query = last
      end()
      search(query, 'here')
    },
    end,
  }
}
