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
 * For work that begins with a press. What is returned gives the keyboard back to what has it now, as soon as that can be
 * pressed: a button that is loading cannot, and gives it away. Not when something else has had it meanwhile, or when it
 * is gone.
 */
export function rememberKeyboard(): () => Promise<void> {
  const pressed = document.activeElement
  const remembering = new AbortController()
  const { signal } = remembering
  const forget = (): void => remembering.abort()
  document.addEventListener('focusin', ({ target }) => target !== pressed && forget(), { signal })

  function giveBack(): void {
    if (signal.aborted) return
    if (document.activeElement !== document.body || !(pressed instanceof HTMLElement) || !pressed.isConnected)
      forget()
    else if (!pressed.matches(':disabled')) {
      forget()
      pressed.focus()
    }
  }

  return async () => {
    await nextTick()
    // What was awaiting the work may say only afterwards that the button can be pressed again.
    await new Promise((resolve) => setTimeout(resolve))
    giveBack()
    if (signal.aborted || pressed === null) return
    // So may main, of what goes on beyond its reply.
    const enabling = new MutationObserver(giveBack)
    enabling.observe(pressed, { attributeFilter: ['disabled'] })
    signal.addEventListener('abort', () => enabling.disconnect())
  }
}
