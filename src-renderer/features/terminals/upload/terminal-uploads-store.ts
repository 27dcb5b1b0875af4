import { defineStore } from 'pinia'
import { shallowRef, watch } from 'vue'
import { thisComputer, type ChosenPlace } from '#domain/files/transfer.ts'
import { client } from '#ipc/client.ts'
import { noFileDroppedText, transferProblemText } from '#shared/files/transfer-text.ts'
import { useTransfersStore } from '#shared/files/transfers-store.ts'
import { useAction } from '#ui/use-action.ts'
import type { TerminalTab } from '../terminal-tab.ts'
import { useTerminalsStore } from '../terminals-store.ts'
import { pathsText } from './upload-text.ts'
import { namesToPaste, noted, uploadStateOf, type UploadPart, type UploadState } from './upload-state.ts'

/** Where an upload goes, as it was when files were dropped or asked for, whatever the instance says meanwhile. */
interface UploadAim {
  readonly tab: TerminalTab
  /** `null` for the home folder. */
  readonly folder: string | null
  /** What stood before the cursor. */
  readonly line: string
}

/** What was dropped on a terminal at once, or chosen for it. */
export interface TerminalUpload extends UploadAim {
  readonly id: string
  /** Where it goes; `null` while the home folder is asked for. */
  readonly folder: string | null
  readonly names: readonly string[]
  readonly parts: readonly UploadPart[]
  /** Why nothing was begun. */
  readonly trouble: string | null
  /** Its paths, decided once, when it's done: a prompt that looks the same later may be another one. */
  readonly paths: 'undecided' | 'pasted' | 'left'
}

function aimAt(tab: TerminalTab): UploadAim {
  return { tab, folder: tab.folder.value, line: tab.screen.commandLine().beforeCursor }
}

/**
 * Uploads from terminals: ordinary transfers, whose paths are pasted once they're done. They live here, so that they go on
 * while their terminal isn't shown.
 */
export const useTerminalUploadsStore = defineStore('terminal-uploads', () => {
  const terminals = useTerminalsStore()
  const transfers = useTransfersStore()
  /** Those that a terminal has something to say of, the oldest first. */
  const uploads = shallowRef<readonly TerminalUpload[]>([])

  const stateOf = ({ parts }: TerminalUpload): UploadState =>
    parts.length === 0 ? { kind: 'going', pastes: true } : uploadStateOf(parts, transfers.transfers)

  function change(id: string, now: Partial<TerminalUpload>): void {
    uploads.value = uploads.value.map((upload) => (upload.id === id ? { ...upload, ...now } : upload))
  }
  function dismiss(id: string): void {
    uploads.value = uploads.value.filter((upload) => upload.id !== id)
  }

  async function homeOf(
    instanceId: number,
  ): Promise<{ readonly path: string } | { readonly trouble: string }> {
    const home = await client.files.listRemote({ instanceId, path: '', step: null })
    return home.kind === 'listed' ? home : { trouble: transferProblemText(home.problem) }
  }

  function add(aim: UploadAim, names: readonly string[], trouble: string | null): string {
    const id = crypto.randomUUID()
    uploads.value = [...uploads.value, { ...aim, id, names, parts: [], trouble, paths: 'undecided' }]
    return id
  }

  async function begin(aim: UploadAim, places: readonly ChosenPlace[]): Promise<void> {
    const { instanceId } = aim.tab
    const names = places.flatMap((place) => place.names)
    const id = add(aim, names, null)
    try {
      const to = aim.folder === null ? await homeOf(instanceId) : { path: aim.folder }
      if ('trouble' in to) return change(id, to)
      const parts: UploadPart[] = []
      for (const place of places) {
        const order = {
          source: thisComputer,
          target: { side: 'remote', instanceId },
          to: to.path,
          honorGitignore: false,
        } as const
        const { id: transfer } = await client.files.startTransfer({
          ...order,
          from: place.from,
          names: [...place.names],
        })
        parts.push({ id: transfer, names: place.names, isKnown: false, hasAsked: false })
      }
      change(id, { folder: to.path, parts })
      follow()
    } catch (error) {
      // What was begun goes on, and is found among the transfers.
      dismiss(id)
      throw error
    }
  }

  /**
   * Uploads what was just dropped on a terminal. It's asked for at once: main would forget it while another drop waits for
   * its instance.
   *
   * @param at the time stamp of the drop
   */
  const drop = useAction(
    async (tab: TerminalTab, at: number) => {
      const aim = aimAt(tab)
      const places = await client.files.takeDropped({ at })
      if (places.length > 0) await begin(aim, places)
      else add(aim, [], noFileDroppedText)
    },
    { attempt: 'save', atOnce: true },
  )
  const beginning = useAction(begin, { attempt: 'save', atOnce: true })
  /** Asks with the system's dialog what to upload; once it's answered, it may be asked for another terminal. */
  const choose = useAction(
    async (tab: TerminalTab) => {
      const aim = aimAt(tab)
      const places = await client.files.choose({ kind: 'files' })
      if (places.length > 0) void beginning.run(aim, places)
    },
    { attempt: 'save' },
  )

  /** Pastes for this terminal alone: others that share its typing are of other instances. */
  function paste({ id, tab, folder }: TerminalUpload, names: readonly string[]): void {
    if (folder === null) return
    tab.receive({ kind: 'pasted', text: pathsText(folder, names) })
    change(id, { paths: 'pasted' })
  }

  /**
   * Whether a paste goes where the files were dropped: what has been typed or begun since may be a password, or a command
   * that its user is about to run. A program with the whole screen that knows no pastes would read the path as keys.
   */
  function isAsBefore({ tab, line }: TerminalUpload): boolean {
    if (tab.line.state.value.kind !== 'open') return false
    const { beforeCursor, isFullScreen, takesPastesAsText } = tab.screen.commandLine()
    return beforeCursor === line && (takesPastesAsText || !isFullScreen)
  }

  function follow(): void {
    const open = new Set(terminals.tabs)
    uploads.value = uploads.value
      .filter(({ tab }) => open.has(tab))
      .map((upload) => ({ ...upload, parts: upload.parts.map((part) => noted(part, transfers.transfers)) }))
    for (const upload of uploads.value) {
      const state = stateOf(upload)
      if (state.kind === 'gone') dismiss(upload.id)
      if (state.kind !== 'done' || upload.paths !== 'undecided') continue
      const names = namesToPaste(state)
      if (names.length === 0 || !isAsBefore(upload)) change(upload.id, { paths: 'left' })
      else {
        paste(upload, names)
        if (state.skipped === 0) dismiss(upload.id)
      }
    }
  }
  watch([() => transfers.transfers, () => terminals.tabs], follow)

  return { uploads, stateOf, drop: drop.run, choose: choose.run, paste, dismiss }
})
