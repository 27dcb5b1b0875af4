// Makes the pictures of the documentation: `npm run pictures`, or `npm run pictures -- <walk>`. See picture.ts.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { startWorld } from '../e2e/support/world.ts'
import { areas } from './areas.ts'
import { firstRun } from './first-run.ts'
import { jobs } from './jobs.ts'
import type { Picture, Scene, Walk } from './picture.ts'
import { security } from './security.ts'
import { smallPng } from './small-png.ts'

const walks: readonly Walk[] = [firstRun, areas, jobs, security]

const folder = join(import.meta.dirname, '../../docs/pictures')
/** Between the smallest window (960 × 600) and the width from which on two panes stand side by side. */
const windowSize = { width: 1200, height: 750 }

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !walks.some((walk) => walk.name === name))
if (unknown.length > 0) {
  console.error(
    `There is no walk ${unknown.join(', ')}. There are: ${walks.map(({ name }) => name).join(', ')}`,
  )
  process.exitCode = 2
} else {
  await mkdir(folder, { recursive: true })
  for (const walk of walks) if (asked.length === 0 || asked.includes(walk.name)) await take(walk)
}

async function take(walk: Walk): Promise<void> {
  // A browser that is shared with other apps would stay, and this program with it.
  const world = await startWorld({ ...walk.world, browser: 'own' })
  try {
    const { page } = world.app
    await page.setViewportSize(windowSize)
    for (const picture of walk.pictures) {
      const bytes = await takeOne(picture, walk.theme ?? 'dark', { page, world })
      await writeFile(join(folder, `${picture.name}.png`), bytes)
      console.log(`${String(Math.ceil(bytes.length / 1024)).padStart(5)} kB  ${picture.name}`)
    }
  } catch (error) {
    console.error(world.app.logs())
    throw error
  } finally {
    await world.end()
  }
}

async function takeOne(
  { name, steps, of }: Picture,
  theme: NonNullable<Walk['theme']>,
  scene: Scene,
): Promise<Buffer> {
  try {
    await steps(scene)
    // For each: a page that loads anew, as that of an account that connects, has forgotten it.
    await scene.page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await expect(scene.page.locator('html')).toContainClass(theme)
  } catch (cause) {
    const seen = join(folder, `${name}.failed.png`)
    await writeFile(seen, await scene.page.screenshot())
    throw new Error(`The picture ${name} was not taken; the window is in ${seen}`, { cause })
  }
  const subject = of?.(scene.page) ?? scene.page
  return smallPng(await subject.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' }))
}
