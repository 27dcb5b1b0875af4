import { assertNever } from '#domain/base/assert-never.ts'
import type { RowList } from '#ui/use-row-list.ts'
import { fileKeyOf, typedCharacter, type FileKey } from './file-key.ts'
import { rowByTyping, typingPauseMs } from './type-ahead.ts'
import type { Pane } from './use-pane.ts'

/** What keys ask for that is done elsewhere. */
export interface FileKeyActions {
  /** @param name of the current row */
  readonly open: (name: string) => void
  readonly up: () => void
  readonly back: () => void
  readonly forward: () => void
  readonly rename: (name: string) => void
  readonly remove: () => void
  /** @param name of the current row */
  readonly edit: (name: string) => void
  readonly copy: () => void
  readonly measure: () => void
  readonly goToOtherPane: () => void
}

/** All keys of a list of files while a row, or the empty list, has the keyboard. */
export function useFileKeys(pane: Pane, list: RowList<string>, actions: FileKeyActions) {
  const { selection } = pane
  let typed = ''
  let typedAt = 0

  const rows = () => pane.rows.rows.value
  const nameAt = (index: number): string | undefined => rows()[index]?.entry.name

  function onKey(event: KeyboardEvent): void {
    const key = fileKeyOf(event)
    // Space belongs to a name that's being typed, and else to the selection.
    const isTyping = typed !== '' && event.timeStamp - typedAt < typingPauseMs
    if (key !== null) act(key)
    else if (!(isTyping && event.key === ' ') && select(event)) typed = ''
    else if (move(event)) typed = ''
    else if (!jump(event, isTyping)) return
    event.preventDefault()
  }

  function act(key: FileKey): void {
    typed = ''
    const current = nameAt(list.active.value)
    switch (key) {
      case 'open':
        return current === undefined ? undefined : actions.open(current)
      case 'rename':
        return current === undefined ? undefined : actions.rename(current)
      case 'edit':
        return current === undefined ? undefined : actions.edit(current)
      case 'remove':
        return onChosen(current, actions.remove)
      case 'copy':
        return onChosen(current, actions.copy)
      case 'measure':
        return onChosen(current, actions.measure)
      case 'up':
        return actions.up()
      case 'back':
        return actions.back()
      case 'forward':
        return actions.forward()
      case 'other-pane':
        return actions.goToOtherPane()
      default:
        return assertNever(key)
    }
  }

  /** What is selected, or else the current row. */
  function onChosen(current: string | undefined, work: () => void): void {
    if (selection.chosen.value.size === 0 && current !== undefined) selection.only(current)
    work()
  }

  /** True when the key changes what is selected. */
  function select(event: KeyboardEvent): boolean {
    const { key, shiftKey, altKey } = event
    const current = nameAt(list.active.value)
    const isCtrl = event.ctrlKey || event.metaKey
    if (altKey || current === undefined) return false
    if (isCtrl && !shiftKey && key.toLowerCase() === 'a') {
      selection.all()
      return true
    }
    if (key === ' ') {
      if (shiftKey) selection.extendTo(current)
      else selection.toggle(current)
      return true
    }
    if (key === 'Escape' && !isCtrl && !shiftKey && selection.chosen.value.size > 0) {
      selection.clear()
      return true
    }
    return false
  }

  /** True when the key leads to a row, which is selected then: alone, with those on the way by Shift, not by Ctrl. */
  function move({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
    const target = list.targetOf(key)
    const name = target === null ? undefined : nameAt(target)
    if (altKey || target === null || name === undefined) return false
    if (shiftKey) selection.extendTo(name, nameAt(list.active.value))
    else if (!ctrlKey && !metaKey) selection.only(name)
    void list.focusRow(target)
    return true
  }

  /** Selects the row whose name begins with what is typed. */
  function jump(event: KeyboardEvent, isTyping: boolean): boolean {
    const character = typedCharacter(event)
    if (character === null) return false
    typed = isTyping ? typed + character : character
    typedAt = event.timeStamp
    const names = rows().map(({ searched }) => searched)
    const at = rowByTyping(names, list.active.value, typed)
    const name = at === null ? undefined : nameAt(at)
    if (at === null || name === undefined) return true
    selection.only(name)
    void list.focusRow(at)
    return true
  }

  return { onKey }
}
