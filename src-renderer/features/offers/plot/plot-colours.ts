/** What the plot is painted with; a canvas knows no tokens. */
export interface PlotColours {
  readonly text: string
  readonly line: string
  readonly offer: string
  readonly leftOut: string
  readonly favourite: string
  readonly selected: string
  readonly background: string
}

/** The colours of the tokens in force now (style.css). */
export function readPlotColours(): PlotColours {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string): string => asRgb(style.getPropertyValue(name).trim())
  return {
    text: token('--ui-text-muted'),
    line: token('--ui-border'),
    offer: token('--ui-text-dimmed'),
    leftOut: token('--ui-border-accented'),
    favourite: token('--ui-warning'),
    selected: token('--ui-primary'),
    background: token('--ui-bg'),
  }
}

const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })

/** A colour of any notation as `rgb()`: ECharts does not read `oklch()`. */
function asRgb(colour: string): string {
  if (pixel === null) return colour
  pixel.fillStyle = colour
  pixel.fillRect(0, 0, 1, 1)
  const [red, green, blue] = pixel.getImageData(0, 0, 1, 1).data
  return `rgb(${red ?? 0},${green ?? 0},${blue ?? 0})`
}
