// What `npm test` does a little of, done as much as was promised: `npm run harden`, or `npm run harden -- --seed=7`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { program, top } from './test/run.mjs'

const seed = process.argv.find((word) => word.startsWith('--seed='))?.slice('--seed='.length)
const [command, ...args] = [
  ...program('vitest/vitest.mjs'),
  'run',
  '--project=integration',
  '--no-file-parallelism',
  join('tests', 'integration', 'whole'),
  join('tests', 'integration', 'terminals'),
]
const child = spawn(command, args, {
  cwd: top,
  stdio: 'inherit',
  env: { ...process.env, SLIPWAY_HARDEN: 'full', ...(seed && { SLIPWAY_HARDEN_SEED: seed }) },
})
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
