import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startBenchMachine, type BenchMachine } from '../ssh/bench-machine.ts'
import { startPageHost } from './page-host.ts'
import { createShells, type Shells } from './shells.ts'
import { makeText } from './text.ts'

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
