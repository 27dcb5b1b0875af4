import { terminalFont } from '#shared/terminals/terminal-font.ts'

const patienceMs = 2_000

let loading: Promise<void> | undefined

/** Resolves when the bundled font can be measured; a font that does not come holds nothing up. */
export function terminalFontReady(): Promise<void> {
  loading ??= Promise.race([
    Promise.allSettled([400, 700].map((weight) => document.fonts.load(`${weight} 13px ${terminalFont('')}`))),
    new Promise((resolve) => {
      setTimeout(resolve, patienceMs)
    }),
  ]).then(() => undefined)
  return loading
}
