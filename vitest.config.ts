import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// For failing only, as tests/support/wait-for.ts has it: by itself Vitest polls for a second.
const patienceMs = 30_000
const unit = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: patienceMs } } }

const top = import.meta.dirname
// What these files replace, others would find replaced; and a heap is measured without what others have left in it.
const alone = globSync('tests/unit/**/*.test.ts', { cwd: top })
  .filter((path) =>
    /\bvi\.(mock|doMock|stubGlobal|stubEnv|useFakeTimers)\b|support\/heap/.test(
      readFileSync(join(top, path), 'utf8'),
    ),
  )
  // Patterns have it so on each system.
  .map((path) => path.replaceAll('\\', '/'))

export default defineConfig({
  test: {
    projects: [
      {
        // They share modules, and what those keep: a process for each file took as long as the tests themselves.
        test: {
          ...unit,
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          exclude: alone,
          isolate: false,
        },
      },
      { test: { ...unit, name: 'unit-alone', include: alone } },
      {
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: patienceMs } },
          // They share the machine's sshd, keyrings and browser; more at once only makes them slower.
          maxWorkers: 2,
        },
      },
    ],
  },
})
