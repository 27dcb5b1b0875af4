import { join } from 'node:path'
import { setUp } from '../../e2e/support/actions.ts'
import { launchApp, type LaunchedApp } from '../../e2e/support/launch.ts'
import { startWorld } from '../../e2e/support/world.ts'
import { ratio, type Figure } from '../figure.ts'
import type { BenchOptions } from '../options.ts'
import { takeTurns } from '../rounds.ts'
import { writeBareApp } from './bare-app.ts'

/** From the command to a screen that can be used, with an account, beside a window with one line on the same host. */
export async function measureStartUp({ rounds }: BenchOptions): Promise<Figure[]> {
  // The yardstick starts a browser, too.
  const world = await startWorld({ browser: 'own' })
  try {
    await setUp(world.app.page, world.service)
    await untilUsable(world.app)
    await world.app.close()
    const folder = join(world.userData, 'bare')
    await writeBareApp(folder)
    const { slipway, bare } = await takeTurns(rounds, {
      slipway: () => timeMs(() => world.startAgain(), untilUsable),
      bare: () =>
        timeMs(
          () => launchApp({ userData: join(folder, 'data'), folder }),
          async ({ page }) => {
            await page.waitForFunction(() => document.body.textContent.includes('Ready'))
          },
        ),
    })
    // Ends it as often as it was begun: `world.end` ends the last one again.
    await world.startAgain()
    return [
      ratio({
        name: 'start to the first usable screen',
        subject: slipway,
        yardstick: bare,
        against: 'a window with one line',
        unit: 'ms',
        target: { atMost: 2.1 },
      }),
    ]
  } finally {
    await world.end()
  }
}

/**
 * Offers can be searched for. Looked at in each frame: a locator is looked for at pauses of up to 500 ms, which the window
 * with one line never comes to.
 */
async function untilUsable({ page }: LaunchedApp): Promise<void> {
  await page.waitForFunction(() => {
    const button = [...document.querySelectorAll('button')].find(
      ({ textContent }) => textContent.trim() === 'Search',
    )
    if (button === undefined || button.disabled) return false
    const { x, y, width, height } = button.getBoundingClientRect()
    return button.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
}

async function timeMs(
  start: () => Promise<LaunchedApp>,
  until: (app: LaunchedApp) => Promise<void>,
): Promise<number> {
  const begun = performance.now()
  const app = await start()
  await until(app)
  const ended = performance.now()
  await app.close()
  return ended - begun
}
