import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import { readmeParts } from '../page/readme-parts.ts'

/** Where the next letter goes in the field of the part in sight. */
export interface Caret {
  readonly get: () => number
  /** Called when what is in the field is about to change under it. */
  readonly set: (to: number) => void
}

/**
 * A text that is too long to be laid out at once, edited part by part: only the part in sight is in a field.
 *
 * @param longest of what a part may become by typing and pasting, in UTF-16 units; it is cut anew then
 */
export function useTextParts(text: Ref<string>, longest: number, caret: Caret) {
  const parts = shallowRef(partsOf(text.value))
  const at = ref(0)
  let written = text.value

  /** @param offset in this part and those after it */
  function goWithin(offset: number): void {
    let rest = offset
    let length = part.value.length
    while (rest > length && at.value < parts.value.length - 1) {
      rest -= length
      at.value += 1
      length = part.value.length
    }
    caret.set(rest)
  }

  const part = computed({
    get: () => parts.value[at.value] ?? '',
    set: (typed) => {
      const before = parts.value.slice(0, at.value)
      const after = parts.value.slice(at.value + 1)
      const isCut = typed.length > longest
      parts.value = [...before, ...(isCut ? partsOf(typed) : [typed]), ...after]
      written = parts.value.join('')
      text.value = written
      if (isCut) goWithin(caret.get())
    },
  })
  // It was changed elsewhere, as by putting two edits together.
  watch(text, (now) => {
    if (now === written) return
    written = now
    parts.value = partsOf(now)
    at.value = Math.min(at.value, parts.value.length - 1)
  })
  return {
    part,
    /** From 0. */
    at,
    count: computed(() => parts.value.length),
    goWithin,
    go: (to: number): void => {
      at.value = Math.max(0, Math.min(Math.trunc(to), parts.value.length - 1))
    },
  }
}

function partsOf(text: string): readonly string[] {
  return text === '' ? [''] : [...readmeParts(text)]
}
