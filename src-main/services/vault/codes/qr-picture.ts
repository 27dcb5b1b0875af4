import encodeQR from 'qr'

/** The quiet zone that readers need, in modules (ISO/IEC 18004 section 9.1). */
const border = 4

/** A text as a QR code: an SVG picture, black on white whatever is behind it, as a `data:` address. */
export function drawQr(text: string): string {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border })
  const path = rows.flatMap((row, y) => runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`))
  const size = rows.length
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path d="${path.join('')}"/></svg>`
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}

/** Where black begins in a row, and how wide it is. */
function runsOf(row: readonly boolean[]): [x: number, width: number][] {
  const runs: [number, number][] = []
  let from: number | null = null
  for (const [x, isBlack] of [...row, false].entries()) {
    if (isBlack) from ??= x
    else if (from !== null) {
      runs.push([from, x - from])
      from = null
    }
  }
  return runs
}
