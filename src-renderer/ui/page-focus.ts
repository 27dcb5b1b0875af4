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
 * Stays at a place on the page whose contents are about to be drawn anew, when what had the keyboard there goes with
 * them. For watchers that run before the page is drawn.
 *
 * @param place selector of what holds the contents
 * @param next selector of where its first button has the keyboard then
 */
export async function keepFocusAt(place: string, next = place): Promise<void> {
  const { activeElement } = document
  if (activeElement?.closest(place)) await keepFocusInPage(`${next} button:enabled`)
}

/**
 * To what had the keyboard before it was at work: a button that is loading cannot be pressed, and gives it away. Not
 * when something else has taken it meanwhile, or when it is gone.
 */
export async function giveKeyboardBack(pressed: Element | null): Promise<void> {
  await nextTick()
  // What was awaiting the work may say only afterwards that the button can be pressed again.
  await new Promise((resolve) => setTimeout(resolve))
  if (document.activeElement === document.body && pressed instanceof HTMLElement && pressed.isConnected)
    pressed.focus()
}
