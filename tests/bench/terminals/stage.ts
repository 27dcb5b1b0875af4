import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startBenchMachine, type BenchMachine } from '../ssh/bench-machine.ts'
import { startPageHost } from './page-host.ts'
import { createShells, type Shells } from './shells.ts'

/** A machine, a browser, and main between them. */
export interface Stage {
  readonly machine: BenchMachine
  readonly shells: Shells
  /** Runs on a page of its own, which is closed afterwards. */
  readonly onPage: <T>(work: (page: Page) => Promise<T>) => Promise<T>
  /** What it is measured on, such as `chromium 140, DOM`. */
  readonly place: string
  /** A file of so many mebibytes of the text, on the machine. */
  readonly textFile: (mebibytes: number) => Promise<string>
  readonly end: () => Promise<void>
}

export async function startStage(): Promise<Stage> {
  const machine = await startBenchMachine()
  const shells = createShells(machine)
  const text = makeText()
  const host = await startPageHost({ folder: machine.folder, text, serveShell: shells.serve })

  async function onPage<T>(work: (page: Page) => Promise<T>): Promise<T> {
    const page = await host.openPage()
    try {
      return await work(page)
    } finally {
      await page.close()
    }
  }

  return {
    machine,
    shells,
    onPage,
    place: `${host.browser}, ${await onPage((page) => page.evaluate(() => window.bench.renderer()))} renderer`,
    textFile: async (mebibytes) => {
      const path = join(machine.home, `text-${mebibytes}`)
      const file = await open(path, 'w')
      for (let written = 0; written < mebibytes; written += 1) await file.write(text)
      await file.close()
      return path
    },
    end: async () => {
      await shells.end()
      await host.end()
      await machine.end()
    },
  }
}

const words =
  'loss step lr grad norm epoch batch cuda device memory tokens per second checkpoint saved loaded eval'
const blockBytes = 1024 * 1024

/**
 * A mebibyte of text as a training run writes it: lines of several lengths, a few of them colored, with the line
 * ends of a terminal. It ends with a whole line.
 */
function makeText(): Buffer {
  const vocabulary = words.split(' ')
  const lines: string[] = []
  let size = 0
  for (let number = 0; ; number += 1) {
    const picked = Array.from(
      { length: 4 + ((number * 7) % 13) },
      (_, index) => vocabulary[(number * 31 + index * 17) % vocabulary.length],
    ).join(' ')
    const line = number % 10 === 0 ? `\x1b[32m${number}\x1b[0m ${picked}\r\n` : `${number} ${picked}\r\n`
    if (size + line.length > blockBytes - 100) break
    lines.push(line)
    size += line.length
  }
  lines.push(`${'='.repeat(blockBytes - size - 2)}\r\n`)
  return Buffer.from(lines.join(''))
}
