import { shallowReadonly, shallowRef, type ShallowRef } from 'vue'
import { copyText } from './screen/copy-text.ts'

/** What waits in a terminal for the user's word. One at a time; the newest replaces the one before. */
export type Question =
  /** Pasted text that may run, or hides something. */
  | { readonly kind: 'paste'; readonly text: string }
  /** An address that is not encrypted. */
  | { readonly kind: 'link'; readonly address: string }
  /** A program on the machine wants to put this into the clipboard. */
  | { readonly kind: 'clipboard'; readonly text: string }

export interface Questions {
  readonly asked: Readonly<ShallowRef<Question | null>>
  readonly ask: (question: Question) => void
  /** Takes the question away, answered or not. */
  readonly clear: () => void
  /** A program on the machine writes the clipboard: done, refused or asked about, as the user has said before. */
  readonly clipboardWritten: (text: string) => void
  /** Keeps the answer for this machine, and writes what waits. */
  readonly answerClipboard: (allow: boolean) => void
}

/** Which machines may write the clipboard: said once, it holds for all terminals of an instance until Slipway quits. */
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
    tell((await copyText(text)) ? 'The machine wrote the clipboard' : 'The clipboard could not be written')
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
      else if (answer === 'refused') tell('The machine wanted to write the clipboard, and was refused')
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
