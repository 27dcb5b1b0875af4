import type { Terminal } from '@xterm/xterm'

const nothing = (): void => undefined

/**
 * Has an opened terminal draw no rows, whichever renderer it gets: what a frame costs besides, and all that is told of
 * it, stay. So a graphics card is modeled that draws in no time.
 *
 * @throws Error for an xterm.js with another inside
 */
export function makeDrawingFree(terminal: Terminal): void {
  const service = at(terminal, '_core', '_renderService')
  const renderer = at(service, '_renderer', 'value')
  const setRenderer = at(service, 'setRenderer')
  if (!isObject(service) || !isObject(renderer) || typeof setRenderer !== 'function')
    throw new Error('xterm.js has another inside')
  Reflect.set(renderer, 'renderRows', nothing)
  Reflect.set(service, 'setRenderer', (next: object) => {
    Reflect.set(next, 'renderRows', nothing)
    Reflect.apply(setRenderer, service, [next])
  })
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isObject(inner) ? Reflect.get(inner, name) : undefined),
    value,
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
