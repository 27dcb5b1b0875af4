import { useToast } from '@nuxt/ui/composables/useToast'
import { watchDebounced } from '@vueuse/core'
import { onBeforeUnmount, ref, shallowRef } from 'vue'
import { useRouter } from 'vue-router'
import { assertNever } from '#domain/base/assert-never.ts'
import type { Problem } from '#domain/base/problem.ts'
import { shownName } from '#domain/files/file-name.ts'
import {
  longestText,
  type InPlaceReason,
  type OpenedText,
  type RemoteFile,
  type SaveOutcome,
  type Theirs,
  type UnsavedText,
} from '#domain/files/opened-file.ts'
import { client } from '#ipc/client.ts'
import { toProblem } from '#ipc/problem.ts'
import { usePendingSaves } from '#ui/pending-saves.ts'
import { useAction } from '#ui/use-action.ts'
import type { CodeEditor } from './code-editor.ts'
import { notKeptTexts, unsavedReason } from './open-file-text.ts'

/** Typing pauses for this long, or goes on for that long, before the text is on the disk of this computer. */
const keepAfterMs = 500
const keepAtLeastEveryMs = 3_000

type SaveOptions = Pick<UnsavedText, 'expected'> & { readonly inPlace: boolean }

/** What somebody else, or a save that broke off, has made of the file. */
interface Conflict {
  readonly theirs: Theirs
  readonly isIncomplete: boolean
}

/** One text being edited: what of it is saved there, what is kept of it here, and what a save asks. */
export function useEditedText(file: RemoteFile, opened: OpenedText, unsaved: UnsavedText | null) {
  const toast = useToast()
  const router = useRouter()
  let editor: CodeEditor | null = null
  /** What the file held that is edited. */
  let expected = unsaved === null ? opened.version : unsaved.expected
  let mode = unsaved === null ? opened.mode : unsaved.mode
  const isChanged = ref(false)
  const savedAt = ref<number | null>(null)
  /** Counts changes, so that each is kept. */
  const changes = ref(0)
  const trouble = ref<string | null>(null)
  /** Why the text isn't kept on this computer. */
  const keepProblem = shallowRef<Problem | null>(null)
  const notKept = ref<keyof typeof notKeptTexts | null>(null)
  const conflict = shallowRef<Conflict | null>(null)
  const asksInPlace = ref<InPlaceReason | null>(null)
  /** What this editor has kept. */
  let kept = unsaved?.text ?? null
  let isDiscarded = false
  let isLeft = false

  function note(): void {
    changes.value += 1
    isChanged.value = editor !== null && !editor.isSaved()
  }

  function begin(made: CodeEditor): void {
    editor = made
    // What was kept is there by now, by a save whose answer didn't come, or came to an editor that was left.
    if (made.isSaved()) {
      expected = opened.version
      mode = opened.mode
    }
    note()
  }

  async function keep(): Promise<void> {
    if (editor === null || isDiscarded) return
    const text = editor.text()
    const hasChanged = isChanged.value
    // Once this editor is left, another of the file may keep its own, or discard this one's.
    const over = isLeft ? kept : null
    try {
      if (!hasChanged) {
        if (kept !== null) await client.files.discardUnsaved({ ...file, text: kept })
        kept = null
        notKept.value = null
      } else if (isLeft && over === null) return
      else if (text.length > longestText) notKept.value = 'too-long'
      else if (await client.files.keepUnsaved({ ...file, text, expected, mode, over })) {
        kept = text
        notKept.value = null
      } else notKept.value = 'no-room'
      keepProblem.value = null
    } catch (error) {
      keepProblem.value = toProblem(error)
    }
  }
  watchDebounced(changes, keep, { debounce: keepAfterMs, maxWait: keepAtLeastEveryMs })
  usePendingSaves(keep)
  onBeforeUnmount(() => {
    void keep()
    isLeft = true
  })

  /** Whether nothing is lost when the page is left. */
  async function isSafe(): Promise<boolean> {
    await keep()
    return isDiscarded || !isChanged.value || (notKept.value === null && keepProblem.value === null)
  }

  const saving = useAction(
    async (options: SaveOptions) => {
      if (editor === null) return
      trouble.value = null
      conflict.value = null
      asksInPlace.value = null
      const taken = editor.take()
      const { text } = taken
      const outcome: SaveOutcome =
        text.length > longestText
          ? { kind: 'too-long' }
          : await client.files.save({ ...file, text, mode, ...options })
      if (outcome.kind === 'saved') {
        expected = outcome.version
        savedAt.value = Date.now()
        taken.markSaved()
        note()
        await keep()
      } else if (isLeft) tell(outcome)
      else ask(outcome, options)
    },
    { attempt: 'save' },
  )

  function ask(outcome: Exclude<SaveOutcome, { kind: 'saved' }>, options: SaveOptions): void {
    switch (outcome.kind) {
      case 'changed':
        conflict.value = outcome
        return
      case 'asks-in-place':
        expected = options.expected
        asksInPlace.value = outcome.why
        return
      case 'too-long':
      case 'failed':
        trouble.value = unsavedReason(outcome)
        return
      default:
        assertNever(outcome)
    }
  }

  /** The page isn't there any more. */
  function tell(outcome: SaveOutcome): void {
    const { instanceId, folder, name } = file
    toast.add({
      title: `Couldn’t save ${shownName(name)}`,
      description: unsavedReason(outcome) ?? '',
      icon: 'i-lucide-circle-alert',
      color: 'error',
      duration: 0,
      actions: [
        {
          label: 'Open file',
          onClick: () =>
            void router.push({ path: `/instances/${instanceId}/files/open`, query: { folder, name } }),
        },
      ],
    })
  }

  /** Nothing of it is kept any more. */
  async function discard(): Promise<void> {
    // Nothing is kept meanwhile.
    isDiscarded = true
    try {
      await client.files.discardUnsaved({ ...file, text: null })
    } catch (error) {
      isDiscarded = false
      throw error
    }
  }

  return {
    ...{
      begin,
      note,
      discard,
      isSafe,
      isChanged,
      savedAt,
      trouble,
      keepProblem,
      conflict,
      asksInPlace,
      saving,
    },
    mine: () => editor?.text() ?? '',
    notKeptText: () => (notKept.value === null ? null : notKeptTexts[notKept.value]),
    save: () => saving.run({ expected, inPlace: false }),
    saveInPlace: () => saving.run({ expected, inPlace: true }),
    /** Over what somebody else wrote: as it was shown, and nothing later. */
    overwrite: (theirs: Theirs) => saving.run({ expected: theirs.version, inPlace: false }),
  }
}
