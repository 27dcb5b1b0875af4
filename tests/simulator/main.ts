/** The simulator on its own: `node tests/simulator/main.ts --port 18080`. README.md says what the options mean. */
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { MOST_RECORDS } from './offers/offer-records.ts'
import { startSimulator } from './simulator.ts'

const wholeNumber = z.string().regex(/^\d+$/, 'expected a whole number').transform(Number)
const count = wholeNumber.pipe(z.number().max(MOST_RECORDS))
const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?,\d+(\.\d+)?$/, 'expected two numbers of seconds, such as 4,8')
  .transform((text): [number, number] => {
    const [provisioning = 0, loading = 0] = text.split(',').map(Number)
    return [provisioning, loading]
  })
const optionsSchema = z.object({
  port: wholeNumber.pipe(z.number().max(65_535)).optional(),
  seed: wholeNumber.optional(),
  offers: count.optional(),
  instances: count.optional(),
  templates: count.optional(),
  'boot-seconds': seconds.optional(),
  'ssh-key': z.string().optional(),
})

const text = { type: 'string' } as const

function readOptions(): z.output<typeof optionsSchema> {
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
  if (options.success) return options.data
  const problems = options.error.issues.map((issue) => `--${issue.path.join('.')}: ${issue.message}`)
  throw new Error(problems.join('; '))
}

async function run(): Promise<void> {
  const { 'boot-seconds': bootSeconds, 'ssh-key': sshKey, ...rest } = readOptions()
  const simulator = await startSimulator({ ...rest, bootSeconds, sshKey })
  const stop = (): void => {
    // A second signal ends it at once; the reaper still cleans up behind it.
    for (const signal of ['SIGTERM', 'SIGINT']) process.removeListener(signal, stop)
    void simulator.close()
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stop)
  console.log(`simulator: ${simulator.baseUrl} key ${simulator.key}`)
}

try {
  await run()
} catch (error) {
  // What goes wrong here is in the hands of whoever started it: an option, a port that is taken, no OpenSSH.
  console.error(`simulator: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 2
}
