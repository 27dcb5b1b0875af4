import { keepFocusInPage } from '#ui/page-focus.ts'

/** Goes on at the row that the keyboard was on last, when the button that was pressed has gone with its work done. */
export function keepFocusInTable(): Promise<void> {
  return keepFocusInPage('#page tr[data-row][tabindex="0"]')
}
