import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Clock } from '#domain/base/clock.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { RunPlace } from '#services/runs/run-place.ts'
import { patientClock } from '../../support/patient-clock.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { startAsyncSsh } from '../../ssh-servers/asyncssh.ts'
import { startDropbear } from '../../ssh-servers/dropbear.ts'
import { startParamiko } from '../../ssh-servers/paramiko.ts'
import { isRunning } from '../../support/is-running.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { waitFor } from '../../support/wait-for.ts'
import { connectionsTo, instanceId } from '../ssh/servers/connect.ts'
import { startProxy } from '../ssh/proxy.ts'
import { startSshd } from '../ssh/sshd.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const authorizedKeys = [publicKey.line]

/** The login shell, and what it starts: each tells its id. */
const processes = [
  `sh -c 'echo $PPID'`,
  // Its parent ends at once.
  `sh -c 'sleep 1000 & echo $!'`,
  `setsid sh -c 'echo $$; exec sleep 1000' &`,
  `env -i sh -c 'echo $$; exec sleep 120' &`,
  'wait',
]
/** Ends only when it is made to. */
const stubborn = `sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' &`

/** For where nothing is to come. */
const impatientClock: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(ms >= 1_000 ? ms / 20 : ms, signal),
}

/** A command that has told so many ids of processes, on a server. */
async function startRun(
  address: SshAddress,
  commands: readonly string[],
  count: number,
  clock: Clock = patientClock,
) {
  const connections = await connectionsTo(address, privateKey)
  const place = new RunPlace({
    instanceId,
    command: commands.join('\n'),
    connections,
    clock,
    randomId: () => crypto.randomUUID(),
    log: memoryLog(),
    onRunning: () => undefined,
    onChange: () => undefined,
  })
  const pids: number[] = []
  onTestFinished(async () => {
    await place.stop()
    for (const pid of pids) if (await isRunning(pid)) process.kill(pid, 'SIGKILL')
  })
  place.start()
  await waitFor(() => {
    const told = place.output.text().match(/\d+(?=\n)/g) ?? []
    expect(told, place.output.text()).toHaveLength(count)
    pids.push(...told.map(Number))
  })
  const countRunning = async (): Promise<number> =>
    (await Promise.all(pids.map(isRunning))).filter(Boolean).length
  return { place, countRunning }
}

test('what is stopped is gone, on every server, in every shell, whatever it is and however it was started', async () => {
  const servers = {
    OpenSSH: startSshd({ authorizedKeys, config: ['ForceCommand none'] }),
    'OpenSSH with a forced command': startSshd({ authorizedKeys }),
    'dropbear with bash': startDropbear({ authorizedKeys }),
    'dropbear with dash': startDropbear({ authorizedKeys, shell: '/bin/sh' }),
    'dropbear with fish': startDropbear({ authorizedKeys, shell: '/usr/bin/fish' }),
    'dropbear with zsh': startDropbear({ authorizedKeys, shell: '/bin/zsh' }),
    AsyncSSH: startAsyncSsh({ authorizedKeys }),
    paramiko: startParamiko({ authorizedKeys }),
  }
  const seen = await Promise.all(
    Object.entries(servers).map(async ([name, starting]) => {
      const { address } = await starting
      const { place, countRunning } = await startRun(address, [stubborn, ...processes], 5)
      expect(await countRunning(), name).toBe(5)
      await place.stop()
      return [name, { phase: place.phase, running: await countRunning() }]
    }),
  )
  const gone = { phase: { kind: 'stopped', left: 'ended' }, running: 0 }
  expect(Object.fromEntries(seen)).toEqual(
    Object.fromEntries(Object.keys(servers).map((name) => [name, gone])),
  )
})

test('a command is asked to end once, and has the time to do it', async () => {
  const { address } = await startSshd({ authorizedKeys, config: ['ForceCommand none'] })
  const commands = ['trap "echo asked; sleep 0.3; echo done; exit" TERM', 'echo $$', 'sleep 1000 & wait']
  const { place } = await startRun(address, commands, 1)
  await place.stop()
  const words = place.output.text().match(/asked|done/g)
  expect(words).toEqual(['asked', 'done'])
  expect(place.phase).toEqual({ kind: 'stopped', left: 'ended' })
})

test('a command that waits for many is asked before they end, and so has the time to save its work', async () => {
  const { address } = await startSshd({ authorizedKeys, config: ['ForceCommand none'] })
  const commands = [
    'trap "echo asked; sleep 0.3; echo done; exit" TERM',
    'for each in $(seq 50); do sleep 1000 & done',
    'echo $$',
    'wait -n', // for the first that ends: its command then ends, too
  ]
  // Whether one of the fifty would be first is chance: with eight commands it is none.
  const told = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const { place } = await startRun(address, commands, 1)
      await place.stop()
      return place.output.text().match(/asked|done/g)
    }),
  )
  expect(told).toEqual(told.map(() => ['asked', 'done']))
})

test('where its processes cannot be looked for, the server is asked to pass signals on', async () => {
  const { address, home } = await startDropbear({ authorizedKeys, shell: '/bin/zsh' })
  await writeFile(join(home, '.zshenv'), '[[ $ZSH_EXECUTION_STRING != "exec sh -s "* ]] || exit 3\n')
  const { place, countRunning } = await startRun(address, ['echo $$', 'exec sleep 1000'], 1)
  await place.stop()
  expect(place.phase).toEqual({ kind: 'stopped', left: 'ended' })
  expect(await countRunning()).toBe(0)
})

test('where nothing can be ended, it is said that it may go on', async () => {
  const { address } = await startSshd({ authorizedKeys, config: ['MaxSessions 1'] })
  const { place, countRunning } = await startRun(address, ['echo $$', 'sleep 1000'], 1, impatientClock)
  await place.stop()
  expect(place.phase).toEqual({ kind: 'stopped', left: 'maybe-running' })
  expect(await countRunning()).toBe(1)
})

test('a connection that is lost meanwhile has ended nothing', async () => {
  const proxy = await startProxy((await startSshd({ authorizedKeys })).address)
  const { place, countRunning } = await startRun(proxy.address, [stubborn, 'wait'], 1)
  const stopping = place.stop()
  proxy.cut()
  await stopping
  expect(place.phase).toEqual({ kind: 'stopped', left: 'maybe-running' })
  expect(await countRunning()).toBe(1)
})
