import { Terminal } from '@xterm/xterm'
import { drawn, hasText } from './drawn.ts'
import { hiddenScreen, plainScreen } from './page-screen.ts'

/** As main sends it at most. */
const pieceBytes = 64 * 1024
/** So much is before the parser: never nothing, and never as much as xterm.js refuses. */
const aheadBytes = 1024 * 1024

const nothing = (): void => undefined
let block: Uint8Array | undefined

/** The text that the machine's file repeats. */
async function textBlock(): Promise<Uint8Array> {
  block ??= new Uint8Array(await (await fetch('/text')).arrayBuffer())
  return block
}

/** Feeds text over and over; resolves when all of it was taken. */
async function feed(
  bytes: number,
  push: (piece: Uint8Array, taken: (bytes: number) => void) => void,
): Promise<void> {
  const text = await textBlock()
  return new Promise((resolve) => {
    let [given, taken] = [0, 0]
    const more = (): void => {
      while (given < bytes && given - taken < aheadBytes) {
        const at = given % text.length
        const piece = text.slice(at, Math.min(at + pieceBytes, at + bytes - given))
        given += piece.length
        push(piece, (some) => {
          taken += some
          if (taken === bytes) resolve()
          else more()
        })
      }
    }
    more()
  })
}

export async function drawAlone(bytes: number): Promise<number> {
  await textBlock()
  const screen = await plainScreen({ input: nothing })
  const begun = performance.now()
  await feed(bytes, screen.push)
  screen.push(new TextEncoder().encode('\r\nall-there'), nothing)
  await drawn(screen.terminal, () => hasText(screen.terminal, 'all-there'))
  const took = performance.now() - begun
  screen.dispose()
  return took
}

export async function parseHidden(kind: 'slipway' | 'xterm', bytes: number): Promise<number> {
  await textBlock()
  if (kind === 'slipway') {
    const screen = hiddenScreen({ input: nothing, drained: nothing })
    const begun = performance.now()
    await feed(bytes, screen.push)
    const took = performance.now() - begun
    screen.dispose()
    return took
  }
  const terminal = new Terminal({ cols: 80, rows: 24 })
  const begun = performance.now()
  await feed(bytes, (piece, taken) => terminal.write(piece, () => taken(piece.length)))
  const took = performance.now() - begun
  terminal.dispose()
  return took
}

const kept: unknown[] = []

export async function makeTabs(kind: 'slipway' | 'xterm', count: number): Promise<void> {
  const text = await textBlock()
  const thousandLines = text.slice(0, endOfLine(text, 1_000))
  for (let made = 0; made < count; made += 1) {
    const pane = document.createElement('div')
    pane.style.cssText = 'position: absolute; inset: 0'
    document.body.append(pane)
    if (kind === 'slipway') {
      const screen = hiddenScreen({ input: nothing, drained: nothing })
      await screen.attach(pane)
      await new Promise<void>((resolve) => screen.push(thousandLines.slice(), () => resolve()))
      kept.push(screen)
    } else {
      const terminal = new Terminal({ cols: 150, rows: 48 })
      terminal.open(pane)
      await new Promise<void>((resolve) => terminal.write(thousandLines.slice(), resolve))
      kept.push(terminal)
    }
  }
}

function endOfLine(text: Uint8Array, lines: number): number {
  let at = 0
  for (let line = 0; line < lines; line += 1) at = text.indexOf(10, at) + 1
  return at
}
