/** The simulator on its own: `node tests/simulator/main.ts --port 18080`. README.md says what the options mean. */
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { startSimulator } from './simulator.ts'

const count = z.string().regex(/^\d+$/, 'expected a whole number').transform(Number)
const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?,\d+(\.\d+)?$/, 'expected two numbers of seconds, such as 4,8')
  .transform((text): [number, number] => {
    const [provisioning = 0, loading = 0] = text.split(',').map(Number)
    return [provisioning, loading]
  })
const optionsSchema = z.object({
  port: count.optional(),
  seed: count.optional(),
  offers: count.optional(),
  instances: count.optional(),
  templates: count.optional(),
  'boot-seconds': seconds.optional(),
  'ssh-key': z.string().optional(),
})

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    port: text,
    seed: text,
    offers: text,
    instances: text,
    templates: text,
    'boot-seconds': text,
    'ssh-key': text,
  },
})
const options = optionsSchema.safeParse(values)

if (!options.success) {
  const problems = options.error.issues.map((issue) => `--${issue.path.join('.')}: ${issue.message}`)
  console.error(`simulator: ${problems.join('; ')}`)
  process.exitCode = 2
} else {
  const { 'boot-seconds': bootSeconds, 'ssh-key': sshKey, ...rest } = options.data
  const simulator = await startSimulator({ ...rest, bootSeconds, sshKey })
  const stop = (): void => {
    // A second signal ends it at once; the reaper still cleans up behind it.
    for (const signal of ['SIGTERM', 'SIGINT']) process.removeListener(signal, stop)
    void simulator.close()
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stop)
  console.log(`simulator: ${simulator.baseUrl} key ${simulator.key}`)
}
