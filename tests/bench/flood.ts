import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseOffer, instancesOf, openTerminal, screenText, setUp, type } from '../e2e/actions.ts'
import { startWorld, type World } from '../e2e/world.ts'
import { withAuthorizedKey } from '../../src-main/domain/onstart.ts'
import { makeEd25519KeyPair } from '../../src-main/ssh/key-pair.ts'
import { median, type Figure } from './figure.ts'

const megabytes = 64
const line = '0123456789 the quick brown fox jumps over the lazy dog 0123456789'
/** The mark is put together on the machine, so that the echo of the command does not show it. */
const flood = (mark: string): string =>
  `yes '${line}' | head -c ${megabytes}M; echo; echo ${mark}-$((40 + 2))`

/** A flood of text from the machine to the window's screen, beside OpenSSH's client with no screen at all. */
export async function measureFlood(): Promise<Figure[]> {
  const world = await startWorld({ service: { bootSeconds: [0, 0] } })
  try {
    const { page } = world.app
    await setUp(page, world.service)
    const key = makeEd25519KeyPair('bench')
    await chooseOffer(page)
    await page.getByLabel('Start script').fill(withAuthorizedKey('', key.publicKey.line))
    await page.getByRole('button', { name: 'Rent this machine' }).click()
    await openTerminal(page)
    const seconds: number[] = []
    for (const mark of ['a', 'b', 'c']) {
      await type(page, `${flood(mark)}\n`)
      const begun = performance.now()
      // Seldom enough that looking does not slow down what is looked at.
      while (!(await screenText(page)).includes(`${mark}-42`)) await page.waitForTimeout(100)
      seconds.push((performance.now() - begun) / 1000)
    }
    const slipway = megabytes / median(seconds)
    const openSsh = await openSshFlood(world, key.privateKey)
    return [
      {
        name: `${megabytes} MB of text to the last screen`,
        value: slipway,
        unit: 'MB/s',
        beside: `${(slipway / openSsh).toFixed(2)} × OpenSSH's client into nothing (${openSsh.toFixed(0)} MB/s)`,
      },
    ]
  } finally {
    await world.end()
  }
}

/** The same through OpenSSH's client in a pseudo-terminal, thrown away: what machine and network allow. */
async function openSshFlood(world: World, privateKey: string): Promise<number> {
  const [instance] = await instancesOf(world.service)
  const folder = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  try {
    const identity = join(folder, 'key')
    await writeFile(identity, privateKey, { mode: 0o600 })
    const options = [
      'StrictHostKeyChecking=no',
      `UserKnownHostsFile=${join(folder, 'known')}`,
      'LogLevel=ERROR',
    ]
    const target = ['-p', String(instance?.ssh_port), `${world.service.sshUser}@127.0.0.1`]
    const seconds: number[] = []
    for (const mark of ['a', 'b', 'c']) {
      const begun = performance.now()
      const ssh = spawn(
        'ssh',
        ['-tt', '-i', identity, ...options.flatMap((option) => ['-o', option]), ...target, flood(mark)],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      ssh.stdout.resume()
      await once(ssh, 'close')
      seconds.push((performance.now() - begun) / 1000)
    }
    return megabytes / median(seconds)
  } finally {
    await rm(folder, { recursive: true })
  }
}
