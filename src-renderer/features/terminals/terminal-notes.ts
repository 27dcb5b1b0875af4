import { readonly, ref, type Ref } from 'vue'

const noteMs = 2_000

/** Something to say for the moment. */
export interface Notes {
  readonly note: Readonly<Ref<string | null>>
  /** Says it until something else is said, or until it is taken back with `null`. */
  readonly show: (text: string | null) => void
  /** Says it in passing. */
  readonly tell: (text: string) => void
}

export function createNotes(): Notes {
  const note = ref<string | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  function show(text: string | null): void {
    clearTimeout(timer)
    note.value = text
  }
  return {
    note: readonly(note),
    show,
    tell(text) {
      // Said again it stands as long as the first time.
      show(text)
      timer = setTimeout(() => show(null), noteMs)
    },
  }
}
