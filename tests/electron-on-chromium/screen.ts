import type { Display } from 'electron'
import { chromium } from './state.ts'

type DoubleDisplay = Pick<Display, 'id' | 'bounds' | 'workArea'>

/** The display that Chromium shows its window on; a driven page knows of no other. */
function primaryDisplay(): DoubleDisplay {
  const { workArea } = chromium()
  return { id: 1, bounds: { ...workArea }, workArea: { ...workArea } }
}

export const screen = {
  getPrimaryDisplay: primaryDisplay,
  getAllDisplays: () => [primaryDisplay()],
}
