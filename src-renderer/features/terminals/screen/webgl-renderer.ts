import type { Terminal } from '@xterm/xterm'
import { boundMeasuring } from './glyph-widths.ts'

/** Drivers that draw in software: WebGL on them gives 10 frames a second, the DOM renderer 30. */
const inSoftware = /swiftshader|llvmpipe|softpipe|software|basic render|swrast/i

let known: boolean | undefined

/** Whether a real GPU draws this page; asked once. */
export function hasRealGpu(): boolean {
  known ??= askForGpu()
  return known
}

function askForGpu(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  if (!gl) return false
  const names = gl.getExtension('WEBGL_debug_renderer_info')
  const name: unknown = names && gl.getParameter(names.UNMASKED_RENDERER_WEBGL)
  giveBack(gl)
  return typeof name === 'string' && name !== '' && !inSoftware.test(name)
}

/** Chromium keeps about 16 contexts: one that is left to be collected may cost a terminal its own. */
function giveBack(gl: WebGL2RenderingContext | null): void {
  gl?.getExtension('WEBGL_lose_context')?.loseContext()
}

/**
 * Draws a visible terminal on the GPU until the returned function is called. When the context is lost, or
 * cannot be made, xterm.js goes on with its DOM renderer.
 */
export function drawOnGpu(terminal: Terminal): () => void {
  let ended = false
  let end = (): void => {
    ended = true
  }
  void import('@xterm/addon-webgl').then(({ WebglAddon }) => {
    if (ended) return
    const addon = new WebglAddon()
    let disposed = false
    end = () => {
      if (disposed) return
      disposed = true
      const canvases = [...(terminal.element?.querySelectorAll('canvas') ?? [])]
      addon.dispose()
      boundMeasuring(terminal)
      for (const canvas of canvases) giveBack(canvas.getContext('webgl2'))
    }
    addon.onContextLoss(() => end())
    try {
      terminal.loadAddon(addon)
    } catch {
      // No context to be had: the DOM renderer goes on.
      end()
    }
  })
  return () => end()
}
