/** Bundled by style.css and features/terminals/xterm.css; the fallbacks are for characters that it lacks. */
const bundled = '"JetBrains Mono Variable", "Terminal Lines", ui-monospace, monospace'

/** As the user knows it. */
export const bundledFontName = 'JetBrains Mono'

/** The fonts to draw with, in CSS: the user's, if there is one, before the bundled one. */
export function terminalFont(family: string): string {
  return family === '' ? bundled : `"${family}", ${bundled}`
}

/** What is known of a font: a browser does not list those that are installed, but they can be measured. */
export type FontFit = 'fits' | 'missing' | 'not-monospaced'

const generic = ['monospace', 'serif', 'sans-serif'] as const
const sample = 'mmmmmwwwiiillll@#&'

/**
 * Whether a family is installed, and made for terminals.
 *
 * @param widthOf of a text in fonts that are named as in CSS
 */
export function fontFit(family: string, widthOf: (text: string, fonts: string) => number): FontFit {
  const isMissing = generic.every((base) => widthOf(sample, `"${family}", ${base}`) === widthOf(sample, base))
  if (isMissing) return 'missing'
  return widthOf('iiii', `"${family}"`) === widthOf('MMMM', `"${family}"`) ? 'fits' : 'not-monospaced'
}

/** Measures on a canvas of the page's own. */
export function canvasWidth(): (text: string, fonts: string) => number {
  const context = document.createElement('canvas').getContext('2d')
  return (text, fonts) => {
    if (!context) return 0
    context.font = `72px ${fonts}`
    return context.measureText(text).width
  }
}
