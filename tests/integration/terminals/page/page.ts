import { Terminal } from '@xterm/xterm'
import { createPageTurns } from '../../../../src-renderer/features/terminals/page-turns.ts'
import { createScreen } from '../../../../src-renderer/features/terminals/screen/screen.ts'
import { createWriteScheduler } from '../../../../src-renderer/features/terminals/screen/write-scheduler.ts'
import { drawIn } from '../../../../src-renderer/features/terminals/screen/xterm-drawing.ts'
import { unheard } from '../../../support/unheard-screen.ts'
import './flood-page.ts'

/** As main sends it at most, and as much as it sends ahead. */
const [pieceLength, aheadBytes] = [64 * 1024, 1024 * 1024]
const nothing = (): void => undefined

const screen = createScreen(createWriteScheduler(createPageTurns(() => true)), unheard)
const container = document.querySelector<HTMLElement>('#terminal') ?? document.body

const held = new Terminal({ cols: 40, rows: 5 })
const frames = new Map<number, FrameRequestCallback>()
let handles = 0
let urgent = 0

window.floodPage = {
  holdFrames: () => {
    const pane = document.createElement('div')
    pane.id = 'held'
    container.replaceWith(pane)
    held.open(pane)
    held.focus()
    return drawIn(held, {
      request: (draw) => {
        handles += 1
        frames.set(handles, draw)
        return handles
      },
      cancel: (handle) => void frames.delete(handle),
      atOnce: () => (urgent += 1),
    })
  },
  urgent: () => urgent,
  writeHeld: (text) => new Promise((resolve) => held.write(text, resolve)),
  drawHeld: () => {
    const due = [...frames.values()]
    frames.clear()
    for (const draw of due) draw(performance.now())
    return due.length
  },
  attach: () => screen.attach(container),
  flood: async (text, times) => {
    const encoder = new TextEncoder()
    let [given, taken] = [0, 0]
    let wake = nothing
    let piece = ''
    for (let turn = 0; turn < times; turn += 1) {
      piece += text.replaceAll('#', String(turn))
      if (piece.length < pieceLength && turn < times - 1) continue
      const bytes = encoder.encode(piece)
      piece = ''
      given += bytes.length
      screen.push(bytes, (some) => {
        taken += some
        wake()
      })
      while (given - taken > (turn < times - 1 ? aheadBytes : 0))
        await new Promise<void>((resolve) => (wake = resolve))
    }
  },
}
