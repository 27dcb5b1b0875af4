import { defineConfig } from '@playwright/test'

// The specs bring their own browser: Electron, or the system's Chromium in its place. None is downloaded.
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.spec.ts',
  outputDir: 'out/e2e',
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // Each spec runs an app, a service and real SSH servers; two at once on two cores only time each other out.
  workers: 1,
  retries: 0,
  forbidOnly: true,
  reporter: 'list',
  use: { trace: 'retain-on-failure' },
})
