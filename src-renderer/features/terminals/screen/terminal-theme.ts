import type { ITheme } from '@xterm/xterm'

/**
 * The sixteen colors, chosen to be read on the page's own background; xterm.js lifts what a program mixes
 * by itself to a contrast of 4.5 (`minimumContrastRatio`).
 */
const onDark: ITheme = {
  black: '#3f3f46',
  red: '#f87171',
  green: '#4ade80',
  yellow: '#facc15',
  blue: '#60a5fa',
  magenta: '#e879f9',
  cyan: '#2dd4bf',
  white: '#d4d4d8',
  brightBlack: '#8b8b95',
  brightRed: '#fca5a5',
  brightGreen: '#86efac',
  brightYellow: '#fde047',
  brightBlue: '#93c5fd',
  brightMagenta: '#f0abfc',
  brightCyan: '#5eead4',
  brightWhite: '#fafafa',
}

const onLight: ITheme = {
  black: '#18181b',
  red: '#b91c1c',
  green: '#15803d',
  yellow: '#a16207',
  blue: '#1d4ed8',
  magenta: '#a21caf',
  cyan: '#0f766e',
  white: '#52525b',
  brightBlack: '#62626b',
  brightRed: '#dc2626',
  brightGreen: '#166534',
  brightYellow: '#854d0e',
  brightBlue: '#2563eb',
  brightMagenta: '#86198f',
  brightCyan: '#115e59',
  brightWhite: '#27272a',
}

/**
 * The terminal's colors from the tokens in force now (style.css).
 *
 * @param ended grayed, for a screen without a shell; by color and not by opacity, so that it stays legible
 */
export function readTerminalTheme(ended: boolean): ITheme {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string): string => style.getPropertyValue(name).trim()
  const background = token(ended ? '--ui-bg-muted' : '--ui-bg')
  const selection = token('--ui-bg-accented')
  return {
    ...(style.colorScheme === 'dark' ? onDark : onLight),
    background,
    foreground: token(ended ? '--ui-text-muted' : '--ui-text'),
    cursor: ended ? background : token('--ui-primary'),
    cursorAccent: background,
    selectionBackground: selection,
    selectionInactiveBackground: selection,
    selectionForeground: token('--ui-text-highlighted'),
  }
}

/** The marks of what was found, as #rrggbb: the search addon takes no other form. */
export function readFindColors() {
  return getComputedStyle(document.documentElement).colorScheme === 'dark' ? foundOnDark : foundOnLight
}

const foundOnDark = {
  matchBackground: '#574b12',
  matchOverviewRuler: '#facc15',
  activeMatchBackground: '#9a5b00',
  activeMatchBorder: '#fde047',
  activeMatchColorOverviewRuler: '#fde047',
}

const foundOnLight = {
  matchBackground: '#fef08a',
  matchOverviewRuler: '#a16207',
  activeMatchBackground: '#fdba74',
  activeMatchBorder: '#9a3412',
  activeMatchColorOverviewRuler: '#9a3412',
}

/** Calls `changed` whenever the page goes from dark to light or back; the returned function ends it. */
export function watchTheme(changed: () => void): () => void {
  const root = document.documentElement
  const observer = new MutationObserver(changed)
  observer.observe(root, { attributes: true, attributeFilter: ['class', 'style', 'data-theme'] })
  return () => observer.disconnect()
}
