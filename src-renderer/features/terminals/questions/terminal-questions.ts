import { shallowReadonly, shallowRef, type ShallowRef } from 'vue'
import type { ProblemText } from '#ui/problems/problem-text.ts'
import { copyText } from '../screen/copy-text.ts'
import type { LocalLink } from '../shell-text.ts'
import { clipboardNotes } from '../terminal-text.ts'

/** What waits in a terminal for the user's word. One at a time: what the user does replaces what was asked before. */
export type Question =
  /** Text to paste that may run, or hides something; `thenRuns`: Enter is pressed after it. */
  | { readonly kind: 'paste'; readonly text: string; readonly thenRuns: boolean }
  /** An address that is not encrypted. */
  | { readonly kind: 'link'; readonly address: string }
  /** An address of the instance's own that isn't what the screen shows, is no usual page, or couldn't be opened. */
  | { readonly kind: 'local-link'; readonly link: LocalLink; readonly failure: ProblemText | null }
  /** A program on the instance wants to put this into the clipboard. */
  | { readonly kind: 'clipboard'; readonly text: string }

export interface Questions {
  readonly asked: Readonly<ShallowRef<Question | null>>
  /** The user's own. */
  readonly ask: (question: Question) => void
  /** Takes the question away, answered or not. */
  readonly clear: () => void
  /** A program on the instance writes the clipboard: done, refused, or asked about, as the user has said before. */
  readonly clipboardWritten: (text: string) => void
  /** Keeps the answer for this instance, and writes what waits. */
  readonly answerClipboard: (allow: boolean) => void
}

/** Which instances may write the clipboard: said once, it holds for all terminals of an instance until Slipway quits. */
export type ClipboardAnswers = Map<number, 'allowed' | 'refused'>

export function createQuestions({
  instanceId,
  answers,
  tell,
}: {
  readonly instanceId: number
  readonly answers: ClipboardAnswers
  /** Says in passing what was done. */
  readonly tell: (note: string) => void
}): Questions {
  const asked = shallowRef<Question | null>(null)
  /** What a program wanted to write while the user was asked something else: no program takes that away. */
  let waiting: string | null = null

  async function write(text: string): Promise<void> {
    tell((await copyText(text)) ? clipboardNotes.written : clipboardNotes.failed)
  }

  function clear(): void {
    const text = waiting
    waiting = null
    asked.value = null
    // Another terminal of the instance may have the answer by now.
    if (text !== null) clipboardWritten(text)
  }

  function clipboardWritten(text: string): void {
    const answer = answers.get(instanceId)
    if (answer === 'allowed') void write(text)
    else if (answer === 'refused') tell(clipboardNotes.refused)
    else if (asked.value === null || asked.value.kind === 'clipboard')
      asked.value = { kind: 'clipboard', text }
    else waiting = text
  }

  return {
    asked: shallowReadonly(asked),
    ask(question) {
      asked.value = question
    },
    clear,
    clipboardWritten,
    answerClipboard(allow) {
      const question = asked.value
      answers.set(instanceId, allow ? 'allowed' : 'refused')
      clear()
      if (allow && question?.kind === 'clipboard') void write(question.text)
    },
  }
}
