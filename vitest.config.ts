import { defineConfig } from 'vitest/config'

// For failing only, as tests/support/wait-for.ts has it: by itself Vitest polls for a second.
const patienceMs = 30_000

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: patienceMs } },
        },
      },
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
