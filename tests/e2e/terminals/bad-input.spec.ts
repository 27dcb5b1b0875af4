import type { Page } from '@playwright/test'
import { instanceRow, openTerminal, rent, screenText, type, untilRunning } from '../support/actions.ts'
import { watchMachine } from '../support/machine-pauses.ts'
import { expect, test } from '../support/world-test.ts'

test.use({ worldOptions: { service: { bootSeconds: [0, 0] } } })

/**
 * While something is going on, the page keeps no click waiting for long: not for seconds, unless the machine is so busy
 * that all of it takes much longer still. It must not stand still until all has been taken.
 */
async function expectQuick(page: Page, during: () => Promise<void>): Promise<void> {
  let done = false
  let longest = 0
  const begunAt = performance.now()
  const longestOfMachine = watchMachine()
  const watching = (async () => {
    while (!done) {
      const startedAt = performance.now()
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))))
      longest = Math.max(longest, performance.now() - startedAt)
    }
  })()
  await during()
  done = true
  await watching
  expect(longest - longestOfMachine()).toBeLessThan(Math.max(3_000, (performance.now() - begunAt) / 3))
}

const floods = [
  ['garbage', 'head -c 8000000 /dev/urandom'],
  ['a line of a million columns', `head -c 1000000 /dev/zero | tr '\\0' x; echo`],
  ['an OSC string without an end', `printf '\\033]0;'; head -c 5000000 /dev/zero | tr '\\0' a`],
  ['a DCS string without an end', `printf '\\033Pq'; head -c 5000000 /dev/zero | tr '\\0' a`],
  ['numbers without an end', `printf '\\033['; head -c 1000000 /dev/zero | tr '\\0' 9`],
  [
    'half characters',
    `for i in $(seq 1 2000); do printf '\\342\\202'; printf '\\254'; done; printf '\\360\\237'`,
  ],
] as const

test('whatever a machine sends, the window answers and the shell goes on', async ({ world }) => {
  const { page } = world.app
  await rent(page)
  await openTerminal(page)
  for (const [what, command] of floods)
    await test.step(what, async () => {
      // The cancel character ends whatever string or sequence was left open; reset makes the screen legible.
      await type(page, `${command}; printf '\\030\\033c'; echo "over-$((40 + 2))"\n`)
      await expectQuick(page, async () => {
        await expect.poll(() => screenText(page), { timeout: 60_000 }).toMatch(/^over-42$/m)
      })
      await page.keyboard.type('clear; echo "again-$((40 + 2))"\n')
      await expect.poll(() => screenText(page)).toMatch(/^again-42$/m)
      await page.keyboard.type('clear\n')
      await expect.poll(() => screenText(page)).not.toContain('42')
    })

  await test.step('half a character at the end of a chunk is whole on the screen', async () => {
    await type(
      page,
      String.raw`clear; printf 'price \342'; sleep 0.3; printf '\202'; sleep 0.3; printf '\254 42\n'` + '\n',
    )
    await expect.poll(() => screenText(page)).toMatch(/^price € 42$/m)
  })

  await test.step('ten shells that flood leave the window and Ctrl-C quick', async () => {
    for (let shells = 1; shells <= 10; shells += 1) {
      if (shells > 1) {
        await page.keyboard.press('Control+Shift+D')
        await expect(page.getByRole('tab')).toHaveCount(shells)
        await expect.poll(() => screenText(page)).toContain('instance-')
      }
      await type(page, 'yes "flood-$((40 + 2))"\n')
      await expect.poll(() => screenText(page)).toContain('flood-42\nflood-42')
    }
    await expectQuick(page, async () => {
      await page.getByRole('tab').first().click()
      await expect(page.getByRole('tab').first()).toHaveAttribute('aria-selected', 'true')
      await expect.poll(() => screenText(page)).toContain('flood-42\nflood-42')
      await page.getByRole('region', { name: 'Terminal' }).click()
      await page.keyboard.press('Control+C')
      await page.keyboard.type('clear; echo "over-$((40 + 2))"\n')
      await expect.poll(() => screenText(page)).toMatch(/^over-42$/m)
    })
  })
})

test('a storm of sizes ends in the size that is shown', async ({ world }) => {
  const { page } = world.app
  await rent(page)
  await openTerminal(page)
  await type(page, 'yes "$(seq 1 40 | tr -d "\\n")" &\n')
  for (let turn = 0; turn < 60; turn += 1)
    await page.setViewportSize({ width: 960 + ((turn * 37) % 400), height: 600 + ((turn * 23) % 250) })
  // Asked until it is told: the last size may come to the shell after what is typed.
  await type(page, 'kill %1; wait; while sleep 0.2; do clear; stty size; done\n')
  const status = page.getByRole('group', { name: 'Terminal status' })
  await expect
    .poll(async () => {
      const [, cols, rows] = /(\d+) × (\d+)/.exec(await status.innerText()) ?? []
      return (await screenText(page)).includes(`${rows} ${cols}`)
    })
    .toBe(true)
})

/** Lets Chromium's WebGL in software pass for a GPU, from the next load of the page on. */
async function pretendGpu(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Call = (args: unknown[]) => unknown
    const change = (of: object, method: string, call: (args: unknown[], usual: Call) => unknown): void => {
      const usual: unknown = Reflect.get(of, method)
      if (typeof usual !== 'function') throw new Error(`There is no ${method}`)
      Reflect.set(of, method, function (this: unknown, ...args: unknown[]) {
        return call(args, (now) => Reflect.apply(usual, this, now))
      })
    }
    const unmaskedRenderer = 0x9246
    change(WebGL2RenderingContext.prototype, 'getParameter', (args, usual) =>
      args[0] === unmaskedRenderer ? 'Test GPU' : usual(args),
    )
    change(HTMLCanvasElement.prototype, 'getContext', ([kind, options], usual) =>
      usual([kind, { ...(typeof options === 'object' && options), failIfMajorPerformanceCaveat: false }]),
    )
  })
  await page.reload()
}

test('a screen that the GPU draws stays legible when the GPU is lost', async ({ world }) => {
  const { page } = world.app
  await pretendGpu(page)
  await rent(page)
  await untilRunning(page)
  await instanceRow(page).getByRole('button', { name: 'Open terminal' }).click()
  await page.getByRole('button', { name: 'Trust this host' }).click()
  const screen = page.getByRole('region', { name: 'Terminal' })
  await expect(page.getByRole('group', { name: 'Terminal status' })).toContainText('Connected')
  await type(page, String.raw`clear; echo kept-$((40 + 2)); printf '\e]0;told-%s\a' 42` + '\n')
  await expect(page.getByRole('tab')).toContainText('told-42')
  await expect(screen.locator('canvas').first()).toBeVisible()
  await expect(screen.locator('.xterm-rows')).toHaveCount(0)

  await screen.locator('canvas').evaluateAll((canvases) => {
    for (const canvas of canvases)
      if (canvas instanceof HTMLCanvasElement)
        canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext()
  })
  await expect.poll(() => screenText(page)).toMatch(/^kept-42$/m)
  await type(page, 'echo on-$((40 + 2))\n')
  await expect.poll(() => screenText(page)).toMatch(/^on-42$/m)
})
