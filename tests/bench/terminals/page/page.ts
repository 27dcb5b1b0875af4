import '@fontsource-variable/jetbrains-mono/wght.css'
import { hasRealGpu } from '../../../../src-renderer/features/terminals/screen/webgl-renderer.ts'
import './bench-page.ts'
import { cursorLine, drawn, hasText, isAtPrompt, pause } from './drawn.ts'
import { drawAlone, makeTabs, parseHidden } from './from-memory.ts'
import { freeDrawing } from './page-screen.ts'
import { openShell, type PageShell } from './page-shell.ts'

const shells = new Map<number, PageShell>()

function find(key: number): PageShell {
  const shell = shells.get(key)
  if (!shell) throw new Error(`no shell ${key}`)
  return shell
}

window.bench = {
  async open(request) {
    const shell = await openShell(request)
    const key = shells.size + 1
    shells.set(key, shell)
    await drawn(shell.terminal, () => isAtPrompt(shell.terminal))
    return key
  },
  close(key) {
    find(key).close()
  },
  async run(key, command, mark) {
    const { terminal, type } = find(key)
    const begun = performance.now()
    type(`${command}\r`)
    await drawn(terminal, () => hasText(terminal, mark))
    const took = performance.now() - begun
    await drawn(terminal, () => isAtPrompt(terminal))
    return took
  },
  async press(key, count) {
    const { terminal, type } = find(key)
    const times: number[] = []
    for (let done = 0; done < count; done += 1) {
      if (done % 40 === 0) {
        type('\u0015')
        await drawn(terminal, () => isAtPrompt(terminal))
      }
      await pause(30 + 30 * Math.random())
      const length = cursorLine(terminal).length
      const begun = performance.now()
      type('x')
      await drawn(terminal, () => cursorLine(terminal).length === length + 1)
      times.push(performance.now() - begun)
    }
    type('\u0015')
    await drawn(terminal, () => isAtPrompt(terminal))
    return times
  },
  async flood(key) {
    const { terminal, type } = find(key)
    type("yes '0123456789 the quick brown fox jumps over the lazy dog'\r")
    await drawn(terminal, () => terminal.buffer.active.baseY > 0)
    // Until it runs evenly.
    await pause(3_000)
  },
  async interrupt(key) {
    const { terminal, type } = find(key)
    const begun = performance.now()
    type('\u0003')
    await drawn(terminal, () => isAtPrompt(terminal))
    return performance.now() - begun
  },
  drawAlone,
  parseHidden,
  makeTabs,
  freeDrawing,
  renderer: () => (hasRealGpu() ? 'WebGL' : 'DOM'),
}
