import type { Terminal } from '@xterm/xterm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { boundMeasuring } from '../../../../../src-renderer/features/terminals/screen/glyph-widths.ts'
import { drawOnGpu } from '../../../../../src-renderer/features/terminals/screen/webgl-renderer.ts'
import { waitFor } from '../../../../support/wait-for.ts'

const gpu = vi.hoisted(() => ({ lose: (): void => undefined, disposed: 0, givenBack: 0 }))
vi.mock('@xterm/addon-webgl', () => ({
  WebglAddon: class {
    onContextLoss(listen: () => void): void {
      gpu.lose = listen
    }
    dispose(): void {
      gpu.disposed += 1
    }
  },
}))
vi.mock(import('../../../../../src-renderer/features/terminals/screen/glyph-widths.ts'), () => ({
  boundMeasuring: vi.fn(),
}))

/** A terminal with one canvas; `load` is what becomes of a renderer that it is given. */
function terminalThat(load: () => void): Terminal {
  const context = { getExtension: () => ({ loseContext: () => (gpu.givenBack += 1) }) }
  const element = { querySelectorAll: () => [{ getContext: () => context }] }
  return { element, loadAddon: load } as unknown as Terminal
}

beforeEach(() => {
  gpu.disposed = 0
  gpu.givenBack = 0
  vi.mocked(boundMeasuring).mockClear()
})

describe('a terminal that is drawn on the GPU', () => {
  it('goes on without it, once, when the context is lost', async () => {
    const load = vi.fn()
    const terminal = terminalThat(load)
    const stop = drawOnGpu(terminal)
    await waitFor(() => expect(load).toHaveBeenCalledOnce())
    gpu.lose()
    gpu.lose()
    stop()
    expect(gpu).toMatchObject({ disposed: 1, givenBack: 1 })
    // The renderer that takes its place measures within bounds.
    expect(vi.mocked(boundMeasuring).mock.calls).toEqual([[terminal]])
  })

  it('goes on without it where no context is to be had', async () => {
    drawOnGpu(
      terminalThat(() => {
        throw new Error('WebGL2 not supported')
      }),
    )
    await waitFor(() => expect(gpu.disposed).toBe(1))
    expect(boundMeasuring).toHaveBeenCalledOnce()
  })

  it('gets no context when it is hidden before its renderer has come', async () => {
    const load = vi.fn()
    drawOnGpu(terminalThat(load))()
    await vi.dynamicImportSettled()
    expect([load.mock.calls.length, gpu.disposed]).toEqual([0, 0])
  })
})
