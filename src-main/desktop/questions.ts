import { dialog, type BaseWindow } from 'electron'
import type { CloseAnswer, CloseQuestion } from '../domain/accounts/pending-work.ts'
import { focusWindow } from './window.ts'

/** Asks with two buttons, of which the first leaves everything as it is. */
export async function agreesTo(
  window: BaseWindow,
  question: {
    readonly message: string
    readonly detail: string
    readonly buttons: readonly [string, string]
  },
): Promise<boolean> {
  return (await ask(window, question)) === 1
}

/** Asks what becomes of a window over pending work. */
export async function askToClose(
  window: BaseWindow,
  { message, detail, answers }: CloseQuestion,
): Promise<CloseAnswer> {
  const response = await ask(window, { message, detail, buttons: answers.map(({ label }) => label) })
  return answers[response]?.answer ?? 'stay'
}

/** Which button was pressed; the first one where the question was closed. */
async function ask(
  window: BaseWindow,
  {
    buttons,
    ...words
  }: { readonly message: string; readonly detail: string; readonly buttons: readonly string[] },
): Promise<number> {
  // A question stands over its window, which may be in the tray.
  if (!window.isVisible()) focusWindow(window)
  const options = { ...words, buttons: [...buttons], defaultId: 0, cancelId: 0 }
  return (await dialog.showMessageBox(window, { ...options, type: 'warning' })).response
}
