import { nextTick } from 'vue'

/** Gives the page the keyboard: the next Tab goes to its first control. */
export function focusPage(): void {
  document.getElementById('page')?.focus()
}

/**
 * Goes on in the page when what had the keyboard has gone from it or cannot be pressed any more. Otherwise the
 * next Tab would begin at the top of the window.
 *
 * @param preferred selector of what is to have the keyboard then; the page itself where there is none
 */
export async function keepFocusInPage(preferred?: string): Promise<void> {
  await nextTick()
  // A dialog gives the keyboard back a task after it has gone.
  await new Promise((resolve) => setTimeout(resolve))
  if (document.activeElement !== document.body) return
  const target = preferred === undefined ? null : document.querySelector<HTMLElement>(preferred)
  if (target) target.focus()
  else focusPage()
}

/**
 * To what had the keyboard before it was at work: a button that is loading cannot be pressed, and gives it away. Not
 * when something else has taken it meanwhile, or when it is gone.
 */
export async function giveKeyboardBack(pressed: Element | null): Promise<void> {
  await nextTick()
  if (document.activeElement === document.body && pressed instanceof HTMLElement && pressed.isConnected)
    pressed.focus()
}
