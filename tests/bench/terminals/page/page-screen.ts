import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { createPageTurns } from '../../../../src-renderer/features/terminals/page-turns.ts'
import { createScreen, terminalFontReady } from '../../../../src-renderer/features/terminals/screen/screen.ts'
import { drawOnGpu, hasRealGpu } from '../../../../src-renderer/features/terminals/screen/webgl-renderer.ts'
import { createWriteScheduler } from '../../../../src-renderer/features/terminals/screen/write-scheduler.ts'
import { createXterm } from '../../../../src-renderer/features/terminals/screen/xterm.ts'
import { unheard } from '../../../support/unheard-screen.ts'
import { makeDrawingFree } from './free-drawing.ts'

/** A terminal of the page, Slipway's or xterm.js alone. */
export interface PageScreen {
  /** For looking at it and typing into it. */
  readonly terminal: Terminal
  readonly push: (bytes: Uint8Array, taken: (bytes: number) => void) => void
  readonly dispose: () => void
}

export interface ScreenEvents {
  readonly input: (data: string) => void
  readonly drained: () => void
}

const nothing = (): void => undefined
const scheduler = createWriteScheduler(createPageTurns(() => true))

/** The xterm.js inside of Slipway's screens, which keep it to themselves. */
let lastOpened: Terminal | undefined
let isDrawingFree = false
const remember = (terminal: Terminal): void => void (lastOpened = terminal)
const opening = Object.getOwnPropertyDescriptor(Terminal.prototype, 'open')
Object.defineProperty(Terminal.prototype, 'open', {
  ...opening,
  value(this: Terminal, parent: HTMLElement) {
    remember(this)
    Reflect.apply(opening?.value as Terminal['open'], this, [parent])
    if (isDrawingFree) makeDrawingFree(this)
  },
})

/** For all terminals that are opened from now on. */
export function freeDrawing(): void {
  isDrawingFree = true
}

export function makePane(): HTMLElement {
  const pane = document.createElement('div')
  document.body.append(pane)
  return pane
}

/** Slipway's, that nobody looks at. */
export function hiddenScreen({ input, drained }: ScreenEvents) {
  return createScreen(scheduler, { ...unheard, input, drained })
}

/** Slipway's screen in a pane of its own. */
export async function slipwayScreen(events: ScreenEvents): Promise<PageScreen> {
  const pane = makePane()
  const screen = hiddenScreen(events)
  await screen.attach(pane)
  if (lastOpened === undefined) throw new Error('the screen opened no terminal')
  return {
    terminal: lastOpened,
    push: screen.push,
    dispose: () => {
      screen.dispose()
      pane.remove()
    },
  }
}

/** xterm.js with Slipway's options and renderer, fed without a scheduler. */
export async function plainScreen({ input }: Pick<ScreenEvents, 'input'>): Promise<PageScreen> {
  const pane = makePane()
  await terminalFontReady()
  const terminal = createXterm({ ...unheard })
  const fitting = new FitAddon()
  terminal.loadAddon(fitting)
  terminal.open(pane)
  const leaveGpu = hasRealGpu() ? drawOnGpu(terminal) : nothing
  fitting.fit()
  terminal.onData(input)
  return {
    terminal,
    push: (bytes, taken) => terminal.write(bytes, () => taken(bytes.length)),
    dispose: () => {
      leaveGpu()
      terminal.dispose()
      pane.remove()
    },
  }
}
