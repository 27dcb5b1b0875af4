import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startKeyring } from '../../keyring/keyring.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { type KillableMain, loadKillableMain } from './killable-main.ts'

/** A service, a real keyring and a disk that outlive the runs of main that are killed on them. */
export interface KillScene {
  readonly service: Simulator
  /** The next run, on what the one before has left; with points it's to die at from its beginning on. */
  readonly start: (...dieAt: readonly string[]) => Promise<KillableMain>
  /** Tells a run what time it is at the service. */
  readonly setClock: (main: KillableMain) => void
  /** Lets something begin, and kills the run so long after. */
  readonly killDuring: (main: KillableMain, work: () => Promise<unknown>, afterMs: number) => Promise<void>
  /** Lets something begin that kills the run at these points (`dieAt`), or at its own. @throws Error when it ends without */
  readonly killAt: (
    main: KillableMain,
    work: () => Promise<unknown>,
    points?: readonly string[],
  ) => Promise<void>
  /** The entries of a journal of the one account, as they are on the disk. */
  readonly journal: (name: string) => Promise<readonly unknown[]>
  readonly close: () => Promise<void>
}

/** @param bootSeconds by default no machine is ever up: what is rented is destroyed before */
export async function startKillScene(
  bootSeconds: readonly [number, number] = [50_000, 50_000],
): Promise<KillScene> {
  const service = await startSimulator({ offers: 400, bootSeconds })
  const keyring = await startKeyring()
  const folder = await mkdtemp(join(tmpdir(), 'slipway-kills-'))
  const load = () => loadKillableMain({ folder, env: keyring.env })
  const aheadMs = (): number => service.clock.now() - Date.now()
  let next = load()
  let current: KillableMain | null = null
  return {
    service,
    start: async (...dieAt) => {
      const starting = next.start(aheadMs(), dieAt)
      next = load()
      current = await starting
      return current
    },
    setClock: (main) => main.setAhead(aheadMs()),
    killDuring: async (main, work, afterMs) => {
      // It fails because it is killed, or is over before.
      work().catch(() => undefined)
      await sleep(afterMs)
      await main.kill()
      await settled(service)
    },
    killAt: async (main, work, points) => {
      if (points) main.dieAt(...points)
      const over = (): never => {
        throw new Error(`It never came to this point: ${points?.join(', then ') ?? 'of its own'}`)
      }
      await Promise.race([main.died, work().then(over, over)])
      await settled(service)
    },
    journal: async (name) => {
      const accounts = join(folder, 'data', 'accounts')
      const owners = (await readdir(accounts)).filter((one) => one !== 'none')
      const text = await readFile(join(accounts, owners[0] ?? '', name), 'utf8').catch(() => '')
      // The first line is its version, and a last one that was cut off is none.
      return text
        .split('\n')
        .slice(1, -1)
        .map((line): unknown => JSON.parse(line))
    },
    close: async () => {
      await current?.kill()
      await next.kill()
      await service.close()
      await keyring.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What was on its way when the run was killed has arrived, and is done. */
async function settled(service: Simulator): Promise<void> {
  for (let isSame = 0, last = -1; isSame < 3;) {
    await sleep(10)
    const { length } = service.journal()
    isSame = length === last ? isSame + 1 : 0
    last = length
  }
}
