import {
  computed,
  effectScope,
  shallowReadonly,
  shallowRef,
  watch,
  type ComputedRef,
  type EffectScope,
  type ShallowRef,
} from 'vue'
import type { Problem } from '#domain/base/problem.ts'
import type { ShellWish } from '#domain/terminals/shell-wish.ts'
import type { TerminalState } from '#domain/terminals/terminal-state.ts'
import type { TerminalMessage } from '#ipc/client.ts'
import { toProblem } from '#ipc/problem.ts'
import { useWatch } from '#ipc/watch.ts'
import { newestCall } from '#ui/newest-call.ts'
import { createTakenCounter, type TakenCounter } from './screen/taken-counter.ts'

export interface TerminalSize {
  readonly cols: number
  readonly rows: number
}

/** Where a terminal stands, seen from the window: main's states, and those before main knows of it. */
export type LineState =
  | { readonly kind: 'preparing' }
  /** From the previous session; it connects when the user wants it. */
  | { readonly kind: 'resting' }
  | { readonly kind: 'not-opened'; readonly problem: Problem }
  | TerminalState

/** What is to run in a terminal, and where. */
export interface ShellStart {
  readonly wish: ShellWish
  /** `null` for home. */
  readonly folder: string | null
}

interface One {
  readonly terminalId: string
}

/** What a line asks of main: the calls of contract/terminals.ts. */
export interface TerminalCalls {
  readonly open: (input: TerminalSize & ShellStart & { readonly instanceId: number }) => Promise<One>
  readonly watch: (
    input: One,
    options: { readonly signal: AbortSignal },
  ) => Promise<AsyncIterable<TerminalState, unknown, unknown>>
  readonly resize: (input: One & TerminalSize) => Promise<void>
  readonly setWish: (input: One & { readonly wish: ShellWish }) => Promise<void>
  readonly notifyWhenDone: (input: One & { readonly isOn: boolean }) => Promise<void>
  readonly startLog: (input: One) => Promise<void>
  readonly stopLog: (input: One) => Promise<void>
  readonly setFolder: (input: One & { readonly folder: string | null }) => Promise<void>
  readonly reconnect: (input: One) => Promise<void>
  readonly close: (input: One) => Promise<void>
}

interface LineOptions {
  readonly calls: TerminalCalls
  /** Opens the port of one terminal; main connects the terminal when it has arrived. */
  readonly openPort: (terminalId: string) => MessagePort
  readonly instanceId: number
  readonly isResting: boolean
  /** Asked whenever a shell begins. */
  readonly start: () => ShellStart
  /** Shows output; `taken` is told how many of its bytes the screen has taken. */
  readonly show: (bytes: Uint8Array, taken: (bytes: number) => void) => void
}

/** A terminal's way to main: its state, its port, and the credit that its output is given. */
export interface TerminalLine {
  /** Main's name of it, once main knows of it. */
  readonly terminalId: Readonly<ShallowRef<string | null>>
  readonly state: Readonly<ShallowRef<LineState>>
  /** Why the last thing asked of main failed. */
  readonly trouble: Readonly<ShallowRef<Problem | null>>
  readonly open: (size: TerminalSize) => Promise<void>
  /**
   * Whether there is a shell to type to, or one on its way that the user has asked for. One that comes by itself after
   * a loss gets nothing: what is typed then was meant for the shell before.
   */
  readonly takesInput: ComputedRef<boolean>
  /** Typed while it connects, it waits for the shell; where no input is taken it is dropped. */
  readonly input: (data: string) => void
  readonly resize: (size: TerminalSize) => void
  /** Has a notification tell, once, when what runs in it is done. */
  readonly notifyWhenDone: (isOn: boolean) => Promise<void>
  /** Asks for a file that the output is written to from then on. */
  readonly startLog: () => Promise<void>
  /** Ends that, or forgets how it ended. */
  readonly stopLog: () => Promise<void>
  /** Tells main that the shell told of a command's end. */
  readonly commandEnded: (code: number | null) => void
  /** Tells main what is to run in it from now on. */
  readonly tellWish: () => Promise<void>
  /** Tells main where the next shell is to begin. */
  readonly tellFolder: () => void
  readonly reconnect: () => Promise<void>
  /** The screen has nothing left to take: what it took is told now. */
  readonly drained: () => void
  /** Ends the shell, if there is one. */
  readonly close: () => Promise<void>
}

export function createTerminalLine({
  calls,
  openPort,
  instanceId,
  isResting,
  start,
  show,
}: LineOptions): TerminalLine {
  const state = shallowRef<LineState>({ kind: isResting ? 'resting' : 'preparing' })
  const trouble = shallowRef<Problem | null>(null)
  const terminalId = shallowRef<string | null>(null)
  let scope: EffectScope | undefined
  let port: MessagePort | undefined
  let counter: TakenCounter | undefined
  let size: TerminalSize = { cols: 80, rows: 24 }
  let sentSize = size
  let closed = false
  let typedAhead = ''
  /** The try to connect a lost terminal again is one that the user has asked for. */
  const isAsked = shallowRef(false)
  const takesInput = computed(() => {
    const { kind } = state.value
    if (kind === 'reconnecting') return isAsked.value
    return kind === 'open' || kind === 'connecting' || kind === 'preparing' || kind === 'unknown-host'
  })

  /** What the user asks for: how the last thing went is no matter anymore. */
  async function attempt(work: (id: string) => Promise<void>): Promise<void> {
    trouble.value = null
    await callMain(work)
  }

  /** Not asked for by the user: a notice that resizes the terminal must not take itself away. */
  async function callMain(work: (id: string) => Promise<void>): Promise<void> {
    if (terminalId.value === null) return
    try {
      await work(terminalId.value)
    } catch (error) {
      if (!closed) trouble.value = toProblem(error)
    }
  }

  function send(message: TerminalMessage): void {
    port?.postMessage(message)
  }

  function input(data: string): void {
    if (state.value.kind === 'open') {
      for (const piece of inputPieces(data)) send({ kind: 'input', data: piece })
    } else if (takesInput.value) typedAhead += data
  }

  function openLine(id: string): void {
    const opened = openPort(id)
    const taken = createTakenCounter((bytes) => {
      const message: TerminalMessage = { kind: 'taken', bytes }
      opened.postMessage(message)
    })
    opened.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data instanceof Uint8Array) show(data, taken.take)
    }
    opened.addEventListener('close', () => {
      if (port === opened) port = undefined
    })
    port = opened
    counter = taken
  }

  function follow(id: string): void {
    scope = effectScope(true)
    scope.run(() => {
      const { latest } = useWatch((_, options) => calls.watch({ terminalId: id }, options))
      const take = (next: TerminalState | null): void => {
        if (!next) return
        isAsked.value &&= isSameTry(next)
        state.value = next
        trouble.value = null
        const typed = typedAhead
        typedAhead = ''
        input(typed)
      }
      watch(latest, take, { flush: 'sync' })
    })
  }

  async function open(wanted: TerminalSize): Promise<void> {
    size = wanted
    sentSize = wanted
    state.value = { kind: 'connecting', address: null }
    try {
      const opened = await calls.open({ instanceId, ...start(), ...wanted })
      terminalId.value = opened.terminalId
    } catch (error) {
      state.value = { kind: 'not-opened', problem: toProblem(error) }
      return
    }
    if (closed) return close()
    follow(terminalId.value)
    openLine(terminalId.value)
    void tellSize()
  }

  async function reconnect(id: string): Promise<void> {
    // A new port makes main connect by itself.
    if (!port) return openLine(id)
    const before = state.value
    // From now on, and not only when main says so: what is typed meanwhile is for the new shell. Of a link that was
    // lost it is for main to say how that stands.
    const expected: LineState =
      before.kind === 'reconnecting' ? before : { kind: 'connecting', address: null }
    state.value = expected
    isAsked.value = before.kind === 'reconnecting'
    try {
      await calls.reconnect({ terminalId: id })
    } catch (error) {
      typedAhead = ''
      isAsked.value = false
      if (state.value === expected) state.value = before
      throw error
    }
  }

  const tellSize = newestCall(async () => {
    if (closed || (size.cols === sentSize.cols && size.rows === sentSize.rows)) return
    if (terminalId.value !== null) sentSize = size
    await callMain((id) => calls.resize({ terminalId: id, ...sentSize }))
  })
  const tellFolder = newestCall(async () => {
    if (!closed) await callMain((id) => calls.setFolder({ terminalId: id, folder: start().folder }))
  })

  async function close(): Promise<void> {
    closed = true
    scope?.stop()
    counter?.flush()
    await attempt((id) => calls.close({ terminalId: id }))
    port?.close()
    port = undefined
  }

  return {
    terminalId: shallowReadonly(terminalId),
    state: shallowReadonly(state),
    trouble: shallowReadonly(trouble),
    takesInput,
    open,
    input,
    resize(wanted) {
      size = wanted
      void tellSize()
    },
    notifyWhenDone: (isOn) => attempt((id) => calls.notifyWhenDone({ terminalId: id, isOn })),
    startLog: () => attempt((id) => calls.startLog({ terminalId: id })),
    stopLog: () => attempt((id) => calls.stopLog({ terminalId: id })),
    commandEnded: (code) => send({ kind: 'command-ended', code }),
    tellWish: () => attempt((id) => calls.setWish({ terminalId: id, wish: start().wish })),
    tellFolder: () => void tellFolder(),
    reconnect: () => attempt(reconnect),
    drained: () => counter?.flush(),
    close,
  }
}

/** Whether a lost terminal is still being tried: one that waits again has failed, and what was typed for it is gone. */
function isSameTry(state: TerminalState): boolean {
  return state.kind === 'unknown-host' || (state.kind === 'reconnecting' && state.retryAt === null)
}

/** The longest input sent at once, in UTF-16 units: far below what the contract takes. */
const longestInput = 256 * 1024

/** Cuts long input into messages, never between the halves of a surrogate pair: each is encoded by itself. */
export function inputPieces(data: string, longest: number = longestInput): readonly string[] {
  const pieces: string[] = []
  if (data === '') return pieces
  let start = 0
  while (data.length - start > longest) {
    const last = data.charCodeAt(start + longest - 1)
    const end = start + longest - (last >= 0xd800 && last <= 0xdbff ? 1 : 0)
    pieces.push(data.slice(start, end))
    start = end
  }
  pieces.push(data.slice(start))
  return pieces
}
