import decodeQR from 'qr/decode.js'
import { expect, test } from 'vitest'
import { drawQr } from '#services/vault/codes/qr-picture.ts'

/** Paints the squares of the picture as a browser does, `scale` pixels each. */
function paint(picture: string, scale: number): { width: number; height: number; data: Uint8ClampedArray } {
  const svg = Buffer.from(picture.slice('data:image/svg+xml;base64,'.length), 'base64').toString()
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1])
  const width = size * scale
  const data = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x, y, run] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      const from = (row * width + Number(x) * scale) * 4
      for (let at = from; at < from + Number(run) * scale * 4; at += 4) data.fill(0, at, at + 3)
    }
  return { width, height: width, data }
}

test.each([
  'otpauth://totp/GPU%20Rental:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=GPU%20Rental',
  `otpauth://totp/${'x'.repeat(900)}?secret=JBSWY3DPEHPK3PXP`,
])('a picture says what was drawn', (uri) => {
  const picture = drawQr(uri)
  expect(picture).toMatch(/^data:image\/svg\+xml;base64,/)
  expect(decodeQR(paint(picture, 4))).toBe(uri)
})
