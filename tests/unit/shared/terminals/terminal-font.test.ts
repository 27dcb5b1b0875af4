import { expect, it } from 'vitest'
import { terminalSettings } from '#domain/terminals/terminal-settings.ts'
import { fontFit, terminalFont } from '#shared/terminals/terminal-font.ts'

/** A computer with these fonts, by what one of their letters is wide: M as such, all others half of it, or as M. */
function computer(fonts: Readonly<Record<string, { readonly wide: number; readonly even: boolean }>>) {
  const known = {
    monospace: { wide: 10, even: true },
    serif: { wide: 11, even: false },
    'sans-serif': { wide: 12, even: false },
    ...fonts,
  }
  return (text: string, stack: string): number => {
    const named = stack.split(', ').map((name) => name.replaceAll('"', ''))
    const { wide, even } =
      Object.entries(known).find(([name]) => named.find((one) => one in known) === name)?.[1] ?? known.serif
    return Array.from(text).reduce((width, letter) => width + (even || letter === 'M' ? wide : wide / 2), 0)
  }
}

it('knows a font that is made for terminals', () => {
  expect(fontFit('Fira Code', computer({ 'Fira Code': { wide: 9, even: true } }))).toBe('fits')
})

it('knows the font that the browser takes for monospace anyway', () => {
  expect(fontFit('DejaVu Sans Mono', computer({ 'DejaVu Sans Mono': { wide: 10, even: true } }))).toBe('fits')
})

it('says that a font is not there, or that its letters differ in width', () => {
  expect(fontFit('Fira Cod', computer({ 'Fira Code': { wide: 9, even: true } }))).toBe('missing')
  expect(fontFit('Papyrus', computer({ Papyrus: { wide: 9, even: false } }))).toBe('not-monospaced')
})

it('puts the user’s font before the bundled one, and lets no name be more than a name', () => {
  expect(terminalFont('Fira Code')).toMatch(/^"Fira Code", "JetBrains Mono Variable"/)
  expect(terminalFont('')).toMatch(/^"JetBrains Mono Variable"/)
  const { fontFamily } = terminalSettings.shape
  expect(['', 'Fira Code', 'ＭＳ ゴシック'].every((name) => fontFamily.safeParse(name).success)).toBe(true)
  expect(['a"b', 'a\\b', 'a\nb', 'a'.repeat(101)].some((name) => fontFamily.safeParse(name).success)).toBe(
    false,
  )
})
