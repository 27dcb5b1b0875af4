// Slipway on a rental service of its own: `npm run demo`. With a display, a window to play with; without one,
// or with `-- --tour`, the main job by itself through the real window, with a picture of each step; with `-- --job` a
// project that's sent to an instance, learns there, and comes back.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { mainJob } from '../tests/e2e/support/main-job.ts'
import { projectJob, projectJobWorld } from '../tests/e2e/support/project-job.ts'
import { startWorld } from '../tests/e2e/support/world.ts'
import { ensureBuilt } from './launch.mjs'
import { top } from './test/run.mjs'

const pictures = join(top, 'out', 'demo')
const hasDisplay = Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY) || process.platform !== 'linux'

await ensureBuilt()
if (process.argv.includes('--job')) process.exitCode = await tour(projectJob, projectJobWorld)
else if (process.argv.includes('--tour') || !hasDisplay) process.exitCode = await tour(mainJob)
else process.exitCode = await play()

/**
 * Walks through a job; one line and one picture a step.
 *
 * @param {readonly import('../tests/e2e/support/main-job.ts').Step[]} steps
 * @param {import('../tests/e2e/support/world.ts').WorldOptions} [options]
 */
async function tour(steps, options) {
  await rm(pictures, { recursive: true, force: true })
  await mkdir(pictures, { recursive: true })
  let passed = 0
  let failed = 0
  // As in the test of the main job: each state lasts longer than the ten seconds between two looks at it.
  // A browser that is shared with other apps would stay, and this program with it.
  const world = await startWorld({ ...options, service: { bootSeconds: [7, 12] }, browser: 'own' })
  try {
    console.log(
      `Slipway in ${world.app.host === 'electron' ? 'Electron' : 'Chromium'}, on ${world.service.baseUrl}`,
    )
    const found = { instanceId: 0 }
    for (const [index, step] of steps.entries()) {
      const begun = performance.now()
      const outcome = await step.run(world.app.page, world, found).then(
        () => ({ ok: true }),
        (error) => ({ ok: false, error }),
      )
      const seconds = ((performance.now() - begun) / 1000).toFixed(1).padStart(5)
      const name = `${String(index + 1).padStart(2, '0')}-${step.name.replace(/[^a-z0-9]+/gi, '-')}.png`
      await writeFile(join(pictures, name), await world.app.page.screenshot({ animations: 'disabled' }))
      console.log(`${outcome.ok ? '  ok  ' : 'FAILED'} ${seconds} s  ${step.name}`)
      if (outcome.ok) {
        passed += 1
        continue
      }
      // Each step needs the one before.
      failed += 1
      console.error(outcome.error)
      console.error(world.app.logs())
      break
    }
  } finally {
    await world.end()
  }
  console.log(`Pictures: ${pictures}`)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

/** A window for the user, until it is closed. */
async function play() {
  const world = await startWorld({ display: 'window' })
  const stop = () => void world.end()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  console.log(`In the window that opens, enter
  Service address  ${world.service.baseUrl}
  API key          ${world.service.key}
Close the window to end the demo; its service, machines and keychain go with it.`)
  await world.app.ended
  await world.end()
  return 0
}
