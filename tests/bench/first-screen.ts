import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { setUp } from '../e2e/support/actions.ts'
import { startWorld } from '../e2e/support/world.ts'
import type { Figure } from './figure.ts'

const renderer = join(import.meta.dirname, '../../out/renderer')

/** The JavaScript that the window loads before its first screen can be used: on the first run, and later. */
export async function measureFirstScreen(): Promise<Figure[]> {
  const world = await startWorld()
  try {
    const firstRun = await scriptsOf(world.app.page)
    await setUp(world.app.page, world.service)
    await world.app.close()
    const { page } = await world.startAgain()
    await page.getByRole('table', { name: 'Offers', exact: true }).waitFor()
    const later = await scriptsOf(page)
    const target = 'target: under 350 kB'
    return [
      { name: 'first screen, first run, JavaScript gzipped', value: firstRun, unit: 'kB', beside: target },
      { name: 'first screen, offers, JavaScript gzipped', value: later, unit: 'kB', beside: target },
    ]
  } finally {
    await world.end()
  }
}

/** Gzipped size of every script that the page has loaded, in kB. */
async function scriptsOf(page: Page): Promise<number> {
  await page.waitForLoadState('networkidle')
  const paths = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith('.js')),
  )
  const scripts = [...new Set(paths)].map((path) => readFile(join(renderer, path)))
  const sizes = (await Promise.all(scripts)).map((script) => gzipSync(script).length)
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}
