/** What a user puts into a terminal, and what others that share it get. */
export type SharedInput =
  { readonly kind: 'typed'; readonly data: string } | { readonly kind: 'pasted'; readonly text: string }

/**
 * What xterm.js answers or tells by itself (xterm's "Control Sequences"): device attributes and status, cursor
 * position, modes, colors, window size, focus, mouse. Shift, Ctrl or Alt with F3 looks like a cursor position, and
 * is taken for one.
 */
const reports = [
  /^\[[?>=]?[\d;]*c$/,
  /^\[\??\d+;\d+(?:;\d+)?R$/,
  /^\[\??\d+(?:;\d+)*n$/,
  /^\[\??\d+;\d+\$y$/,
  /^\[[\d;]+t$/,
  /^\[[IO]$/,
  /^\[<[\d;]+[Mm]$/,
  /^\[M[^]{3}$/,
]
const escape = '\x1b'
const endsOfStrings = ['\x1b\\', '\x07']

/** Whether a terminal said it, and not its user: only the shell that asked may hear it. */
export function isReport(data: string): boolean {
  if (!data.startsWith(escape)) return false
  const rest = data.slice(1)
  if (/^[P\]_^]/.test(rest)) return endsOfStrings.some((end) => rest.endsWith(end))
  return reports.some((report) => report.test(rest))
}

const cursorKey = /^[[O]([A-DFH])$/

/** A key as another terminal's program expects it: cursor keys come in two forms (DECCKM). */
export function keyFor(data: string, applicationCursorKeys: boolean): string {
  const [, key] = (data.startsWith(escape) && cursorKey.exec(data.slice(1))) || []
  return key === undefined ? data : `${escape}${applicationCursorKeys ? 'O' : '['}${key}`
}
