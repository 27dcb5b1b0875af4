// The icons of every system from build/icon.svg, drawn by Chromium: `node tools/icons.mjs`. They are kept in
// build/, so that packing needs no browser; run this when the drawing changes.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { findChromium } from '../tests/support/find-chromium.ts'
import { top } from './test/run.mjs'

const build = join(top, 'build')
/** Of Linux's icon theme, in pixels. */
const themeSizes = [16, 24, 32, 48, 64, 128, 256, 512]
const windowsSizes = [16, 24, 32, 48, 64, 128, 256]
/** Apple's types of an icon that is kept as a PNG, and its size in pixels. */
const appleTypes = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
  ['ic13', 256],
  ['ic14', 512],
]

const pictures = await draw([
  ...new Set([...themeSizes, ...windowsSizes, ...appleTypes.map(([, size]) => size)]),
])
for (const size of themeSizes)
  await writeFile(join(build, 'icons', `${size}x${size}.png`), pictures.get(size))
await writeFile(join(build, 'icon.png'), pictures.get(1024))
await writeFile(join(build, 'icon.ico'), ico(windowsSizes.map((size) => [size, pictures.get(size)])))
await writeFile(join(build, 'icon.icns'), icns(appleTypes.map(([type, size]) => [type, pictures.get(size)])))

/** PNGs by their size, with nothing behind the drawing. */
async function draw(sizes) {
  const svg = await readFile(join(build, 'icon.svg'), 'utf8')
  const browser = await chromium.launch({
    executablePath: findChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
  })
  try {
    const page = await browser.newPage()
    const drawn = new Map()
    for (const size of sizes) {
      await page.setViewportSize({ width: size, height: size })
      await page.setContent(
        `<style>body { margin: 0 } svg { display: block; width: ${size}px }</style>${svg}`,
      )
      drawn.set(size, await page.screenshot({ omitBackground: true }))
    }
    return drawn
  } finally {
    await browser.close()
  }
}

/** Windows' container: a table of sizes and places, then the pictures. */
function ico(entries) {
  const header = Buffer.alloc(6 + 16 * entries.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(entries.length, 4)
  let place = header.length
  for (const [index, [size, png]] of entries.entries()) {
    const at = 6 + 16 * index
    // 0 stands for 256.
    header.writeUInt8(size % 256, at)
    header.writeUInt8(size % 256, at + 1)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(png.length, at + 8)
    header.writeUInt32LE(place, at + 12)
    place += png.length
  }
  return Buffer.concat([header, ...entries.map(([, png]) => png)])
}

/** Apple's container: pictures one after the other, each with its type and length. */
function icns(entries) {
  const chunks = entries.map(([type, png]) => Buffer.concat([chunkHead(type, png.length), png]))
  const body = Buffer.concat(chunks)
  return Buffer.concat([chunkHead('icns', body.length), body])
}

function chunkHead(type, length) {
  const head = Buffer.alloc(8)
  head.write(type, 'ascii')
  head.writeUInt32BE(length + 8, 4)
  return head
}
