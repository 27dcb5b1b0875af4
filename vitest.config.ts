import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  resolve: {
    alias: {
      '#contract': here('src-main/contract'),
      '#domain': here('src-main/domain'),
      '#ui': here('src-renderer/ui'),
      '#ipc': here('src-renderer/ipc'),
    },
  },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], testTimeout: 20_000 },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // They share the machine's sshd, keyrings and browser; more at once only makes them slower.
          maxWorkers: 2,
        },
      },
    ],
  },
})
