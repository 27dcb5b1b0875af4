import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

// For failing only, as tests/support/wait-for.ts has it: by itself Vitest polls for a second.
const patienceMs = 30_000
const unit = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: patienceMs } } }

// What they replace, another file would find replaced.
const replacing = globSync('tests/unit/**/*.test.ts').filter((path) =>
  /\bvi\.(mock|doMock|stubGlobal|stubEnv|useFakeTimers)\(/.test(readFileSync(path, 'utf8')),
)

export default defineConfig({
  test: {
    projects: [
      {
        // Of each other's modules they see no more than what they were given: a process for each file took as long as
        // the tests themselves.
        test: {
          ...unit,
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          exclude: replacing,
          isolate: false,
        },
      },
      { test: { ...unit, name: 'unit-replacing', include: replacing } },
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
