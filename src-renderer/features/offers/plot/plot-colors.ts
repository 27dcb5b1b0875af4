/** What the plot is painted with; a canvas knows no tokens. */
export interface PlotColors {
  readonly text: string
  readonly line: string
  readonly offer: string
  readonly leftOut: string
  readonly favorite: string
  readonly selected: string
  readonly background: string
}

/** The colors of the tokens in force now (style.css). */
export function readPlotColors(): PlotColors {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string): string => asRgb(style.getPropertyValue(name).trim())
  return {
    text: token('--ui-text-muted'),
    line: token('--ui-border'),
    offer: token('--ui-text-dimmed'),
    leftOut: token('--ui-border-accented'),
    favorite: token('--ui-warning'),
    selected: token('--ui-primary'),
    background: token('--ui-bg'),
  }
}

const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })

/** A color of any notation as `rgb()`: ECharts does not read `oklch()`. */
function asRgb(color: string): string {
  if (pixel === null) return color
  pixel.fillStyle = color
  pixel.fillRect(0, 0, 1, 1)
  const [red, green, blue] = pixel.getImageData(0, 0, 1, 1).data
  return `rgb(${red ?? 0},${green ?? 0},${blue ?? 0})`
}
