import { shallowReadonly, shallowRef, type ShallowRef } from 'vue'
import { copyText } from './screen/copy-text.ts'
import { clipboardNotes } from './terminal-text.ts'

/** What waits in a terminal for the user's word. One at a time; the newest replaces the one before. */
export type Question =
  /** Pasted text that may run, or hides something. */
  | { readonly kind: 'paste'; readonly text: string }
  /** An address that is not encrypted. */
  | { readonly kind: 'link'; readonly address: string }
  /** A program on the instance wants to put this into the clipboard. */
  | { readonly kind: 'clipboard'; readonly text: string }

export interface Questions {
  readonly asked: Readonly<ShallowRef<Question | null>>
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

  async function write(text: string): Promise<void> {
    tell((await copyText(text)) ? clipboardNotes.written : clipboardNotes.failed)
  }

  function clear(): void {
    asked.value = null
  }

  return {
    asked: shallowReadonly(asked),
    ask(question) {
      asked.value = question
    },
    clear,
    clipboardWritten(text) {
      const answer = answers.get(instanceId)
      if (answer === 'allowed') void write(text)
      else if (answer === 'refused') tell(clipboardNotes.refused)
      else asked.value = { kind: 'clipboard', text }
    },
    answerClipboard(allow) {
      const question = asked.value
      answers.set(instanceId, allow ? 'allowed' : 'refused')
      clear()
      if (allow && question?.kind === 'clipboard') void write(question.text)
    },
  }
}
