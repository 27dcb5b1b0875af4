/** Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y on a whole search: a field's own history would take back only what was typed into it. */
export function undoKey(
  event: KeyboardEvent,
  { undo, redo }: { readonly undo: () => void; readonly redo: () => void },
): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return
  const key = event.key.toLowerCase()
  const isRedo = key === 'y' || (key === 'z' && event.shiftKey)
  if (!isRedo && key !== 'z') return
  event.preventDefault()
  if (isRedo) redo()
  else undo()
}
