import type { Terminal } from '@xterm/xterm'

/** Frames in place of the window's own. */
export interface Frames {
  /** Calls it back once, in a frame that is still to come. @returns what `cancel` takes */
  readonly request: (draw: FrameRequestCallback) => number
  readonly cancel: (handle: number) => void
  /** What is asked for isn't held up. */
  readonly atOnce: () => void
}

/**
 * Has an opened terminal draw in the frames that it is given. xterm.js asks its own service for the window whose
 * frames it draws in, and moves its text field with the cursor after each write, which alone makes the page lay
 * itself out for each of the screen's ticks (58 times a second in a flood, measured; with this as often as it is drawn).
 * An xterm.js whose inside is not as in 6.0 draws at each of those ticks, and parsing waits for none of its frames.
 *
 * @returns whether the inside is as expected, which a test holds for this version
 */
export function drawIn(terminal: Terminal, frames: Frames): boolean {
  const core = at(terminal, '_core')
  const browser = at(core, '_coreBrowserService')
  const sync = at(core, '_syncTextArea')
  if (!isObject(core) || !isObject(browser) || typeof sync !== 'function') return false
  const own = new Map<string | symbol, unknown>([
    ['requestAnimationFrame', frames.request],
    ['cancelAnimationFrame', frames.cancel],
  ])
  const seen = new Proxy(window, {
    get: (real, name) => own.get(name) ?? bound(Reflect.get(real, name, real), real),
  })
  // Opened again, it would set the window that it has.
  Object.defineProperty(browser, 'window', { get: () => seen, set: () => undefined })
  // Its rows, or its canvas, are emptied at once.
  terminal.buffer.onBufferChange(frames.atOnce)
  terminal.onResize(frames.atOnce)
  const move = (): void => void Reflect.apply(sync, core, [])
  let isDue = false
  Object.defineProperty(core, '_syncTextArea', {
    value: () => {
      // Out of the page there is nothing to lay out, and no frame to ask for.
      if (terminal.element?.isConnected !== true) return move()
      if (isDue) return
      isDue = true
      frames.request(() => {
        isDue = false
        move()
      })
    },
  })
  return true
}

/** The window's functions know no other `this`. */
function bound(value: unknown, real: Window): unknown {
  return typeof value === 'function' ? value.bind(real) : value
}

function at(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
