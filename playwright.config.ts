import { defineConfig } from '@playwright/test'

// The specs bring their own browser: Electron, or the system's Chromium in its place. None is downloaded.
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.spec.ts',
  outputDir: 'out/e2e',
  // For failing only: also on a machine that has much else to do, what comes has come by then.
  timeout: 360_000,
  expect: { timeout: 30_000 },
  // Each spec runs an app, a service, and real SSH servers: with more than two at once, two cores have nothing left.
  workers: 2,
  // Each test has an environment of its own, so at the end no single one works off a long file alone.
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  reporter: 'list',
  // A trace takes as much of the machine as the app itself; `--trace on` makes one of a spec that fails.
  use: { trace: 'off', screenshot: 'only-on-failure' },
})
