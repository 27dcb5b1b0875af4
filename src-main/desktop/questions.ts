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
  const buttons = [...question.buttons]
  const options = { message: question.message, detail: question.detail, defaultId: 0, cancelId: 0 }
  const { response } = await dialog.showMessageBox(window, { ...options, type: 'warning', buttons })
  return response === 1
}

/** Asks what becomes of a window over pending work. */
export async function askToClose(
  window: BaseWindow,
  { message, detail, answers }: CloseQuestion,
): Promise<CloseAnswer> {
  // A question stands over its window, which may be in the tray.
  if (!window.isVisible()) focusWindow(window)
  const buttons = answers.map(({ label }) => label)
  const options = { message, detail, buttons, defaultId: 0, cancelId: 0 }
  const { response } = await dialog.showMessageBox(window, { ...options, type: 'warning' })
  return answers[response]?.answer ?? 'stay'
}
