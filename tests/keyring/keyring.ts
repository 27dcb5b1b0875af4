import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { unlockOverControlSocket } from './control.ts'
import { type Leashed, startLeashed } from './leash.ts'

/** A real gnome-keyring on a D-Bus of its own, in a temporary folder: nobody's own keyring is touched. */
export interface Keyring {
  /** What a program needs in its environment to use this keyring and no other. */
  readonly env: { readonly DBUS_SESSION_BUS_ADDRESS: string }
  /** Holds everything that the keyring writes. */
  readonly folder: string
  /** Below it, what another keyring can begin with once this one has stopped its daemon. */
  readonly contents: string
  readonly lock: () => Promise<void>
  readonly unlock: () => Promise<void>
  /** The daemon goes, the bus stays. */
  readonly stopDaemon: () => Promise<void>
  /** `locked`: as after a login without a password. */
  readonly startDaemon: (options?: KeyringOptions) => Promise<void>
  /** The daemon stays and answers nothing. */
  readonly freeze: () => void
  readonly thaw: () => void
  /** Ends everything that was started, and removes the folder. */
  readonly stop: () => Promise<void>
}

export interface KeyringOptions {
  readonly locked?: boolean
}

/** Not empty: a keyring without a password is plain text on the disk, and behaves in other ways. */
const password = 'a test keyring'
const service = '/org/freedesktop/secrets'
const loginCollection = `${service}/collection/login`

/**
 * @param options.contents of another keyring; without them it is empty
 * @throws Error that names the Debian package when dbus-daemon or gnome-keyring-daemon is not installed
 */
export async function startKeyring({
  locked = false,
  contents,
}: KeyringOptions & { readonly contents?: string | undefined } = {}): Promise<Keyring> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-keyring-'))
  const started: Leashed[] = []
  const stop = async (): Promise<void> => {
    for (const process of started.splice(0).reverse()) await process.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const bus = await startBus(folder)
    started.push(bus.process)
    const keyring = keyringOn(bus.address, folder, started, stop)
    if (contents !== undefined) await cp(contents, keyring.contents, { recursive: true })
    await keyring.startDaemon()
    if (locked) await keyring.lock()
    return keyring
  } catch (error) {
    await stop()
    throw error
  }
}

/** Runs `work` with a keyring that is gone afterwards. */
export async function withKeyring<T>(
  work: (keyring: Keyring) => Promise<T>,
  options: KeyringOptions = {},
): Promise<T> {
  const keyring = await startKeyring(options)
  try {
    return await work(keyring)
  } finally {
    await keyring.stop()
  }
}

function keyringOn(address: string, folder: string, started: Leashed[], stop: () => Promise<void>): Keyring {
  const env = {
    PATH: process.env['PATH'],
    DBUS_SESSION_BUS_ADDRESS: address,
    HOME: join(folder, 'home'),
    XDG_DATA_HOME: join(folder, 'home', 'data'),
    XDG_RUNTIME_DIR: join(folder, 'run'),
    // Messages in English, as keytar passes them on.
    LC_ALL: 'C.UTF-8',
  }
  const control = join(folder, 'run', 'keyring')
  let daemon: Leashed | null = null

  const running = (): Leashed => {
    if (daemon === null) throw new Error('The keyring daemon is not running')
    return daemon
  }
  const call = (path: string, method: string, ...args: string[]): Promise<string> =>
    callOnBus(env, path, method, args)
  const isLocked = async (): Promise<boolean> => {
    const property = ['string:org.freedesktop.Secret.Collection', 'string:Locked']
    return (await call(loginCollection, 'org.freedesktop.DBus.Properties.Get', ...property)).includes('true')
  }
  const expectLocked = async (wanted: boolean): Promise<void> => {
    if ((await isLocked()) !== wanted) throw new Error(`The keyring did not ${wanted ? 'lock' : 'unlock'}`)
  }

  return {
    env: { DBUS_SESSION_BUS_ADDRESS: address },
    folder,
    contents: env.XDG_DATA_HOME,
    lock: async () => {
      await call(service, 'org.freedesktop.Secret.Service.Lock', `array:objpath:${loginCollection}`)
      await expectLocked(true)
    },
    unlock: async () => {
      await unlockOverControlSocket(join(control, 'control'), password)
      await expectLocked(false)
    },
    stopDaemon: async () => {
      const going = running()
      daemon = null
      started.splice(started.indexOf(going), 1)
      await going.stop()
    },
    startDaemon: async ({ locked = false } = {}) => {
      if (daemon !== null) throw new Error('The keyring daemon is running already')
      await Promise.all(
        [env.HOME, env.XDG_RUNTIME_DIR].map((path) => mkdir(path, { recursive: true, mode: 0o700 })),
      )
      daemon = await startLeashed({
        command: 'gnome-keyring-daemon',
        args: [
          '--foreground',
          '--components=secrets',
          `--control-directory=${control}`,
          ...(locked ? [] : ['--unlock']),
        ],
        env,
        input: locked ? '' : password,
        folder,
        debianPackage: 'gnome-keyring',
      })
      daemon.child.stdout?.resume()
      started.push(daemon)
      await untilReady(daemon, () =>
        call(service, 'org.freedesktop.Secret.Service.ReadAlias', 'string:default'),
      )
      await expectLocked(locked)
    },
    freeze: () => void process.kill(running().pid, 'SIGSTOP'),
    thaw: () => void process.kill(running().pid, 'SIGCONT'),
    stop,
  }
}

/** A bus without service activation: nothing else is ever started on it, not even another keyring or a prompt. */
const busConfig = (folder: string): string => `<!DOCTYPE busconfig PUBLIC
  "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${join(folder, 'bus')}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`

async function startBus(folder: string): Promise<{ readonly process: Leashed; readonly address: string }> {
  const config = join(folder, 'bus.conf')
  await writeFile(config, busConfig(folder))
  const bus = await startLeashed({
    command: 'dbus-daemon',
    args: [`--config-file=${config}`, '--nofork', '--print-address'],
    env: { PATH: process.env['PATH'] },
    input: '',
    folder,
    debianPackage: 'dbus',
  })
  const { stdout } = bus.child
  if (!stdout) throw new Error('dbus-daemon has no output')
  const lines = createInterface(stdout)
  const address = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    once(bus.child, 'exit').then(() => {
      throw new Error('dbus-daemon ended at once')
    }),
  ])
  stdout.resume()
  return { process: bus, address }
}

async function callOnBus(
  env: Readonly<Record<string, string | undefined>>,
  path: string,
  method: string,
  args: readonly string[],
): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'dbus-send',
    [
      '--session',
      '--print-reply',
      '--reply-timeout=30000',
      '--dest=org.freedesktop.secrets',
      path,
      method,
      ...args,
    ],
    { env },
  )
  return stdout
}

async function untilReady(daemon: Leashed, readDefault: () => Promise<string>): Promise<void> {
  let last: unknown = null
  for (let tries = 0; tries < 2_000 && daemon.child.exitCode === null; tries += 1) {
    try {
      if ((await readDefault()).includes(loginCollection)) return
    } catch (error) {
      last = error
    }
    await sleep(25)
  }
  throw new Error(`gnome-keyring-daemon did not get ready: ${daemon.complaints()}`, { cause: last })
}
