import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { hasElectron } from './electron.mjs'

/** Programs like sshd are in folders that are not on an ordinary user's PATH. */
const programFolders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
const hasProgram = (...names) =>
  names.some((name) => programFolders.some((folder) => existsSync(join(folder, name))))

function hasLibrary(name) {
  const list = spawnSync('ldconfig', ['-p'], {
    encoding: 'utf8',
    env: { ...process.env, PATH: programFolders.join(delimiter) },
  })
  return list.status === 0 && list.stdout.includes(name)
}

const chromium = { name: 'chromium', isThere: () => hasProgram('chromium') }
const libsecret = { name: 'libsecret-1-0', isThere: () => hasLibrary('libsecret-1.so.0') }
/** Debian's packages behind the real SSH servers and the real keyring of tests and demo. */
const servers = [
  { name: 'openssh-server', isThere: () => hasProgram('sshd') },
  { name: 'openssh-client', isThere: () => hasProgram('ssh-keygen') },
  { name: 'dbus', isThere: () => hasProgram('dbus-daemon') && hasProgram('dbus-send') },
  { name: 'tmux', isThere: () => hasProgram('tmux') },
  { name: 'screen', isThere: () => hasProgram('screen') },
  { name: 'gnome-keyring', isThere: () => hasProgram('gnome-keyring-daemon') },
]

/** A second generator of one-time passwords, which tests compare with. */
const oathtool = { name: 'oathtool', isThere: () => hasProgram('oathtool') }
/** SSH servers other than OpenSSH's, and what gives one of them a list of users of its own. */
const pythonPackages = '/usr/lib/python3/dist-packages'
const otherSshServers = [
  { name: 'dropbear-bin', isThere: () => hasProgram('dropbear') && hasProgram('dropbearkey') },
  { name: 'libnss-wrapper', isThere: () => hasLibrary('libnss_wrapper.so') },
  { name: 'python3-asyncssh', isThere: () => existsSync(join(pythonPackages, 'asyncssh')) },
  { name: 'python3-paramiko', isThere: () => existsSync(join(pythonPackages, 'paramiko')) },
]
/** Login shells that read a command in ways of their own. */
const otherShells = ['fish', 'zsh'].map((name) => ({ name, isThere: () => hasProgram(name) }))
/** What scripts for instances are checked with, and shells and tools that instances have. */
const instanceScripts = ['shellcheck', 'busybox', 'dash', 'curl', 'wget', 'openssl'].map((name) => ({
  name,
  isThere: () => hasProgram(name),
}))
/** Programs that use all of a terminal's screen. */
const fullScreen = [
  { name: 'vim', isThere: () => hasProgram('vim') },
  { name: 'htop', isThere: () => hasProgram('htop') },
]
/** What looks at packages for Linux as their systems do. */
const packageCheckers = [
  { name: 'dpkg', isThere: () => hasProgram('dpkg-deb') },
  { name: 'appstream', isThere: () => hasProgram('appstreamcli') },
  { name: 'desktop-file-utils', isThere: () => hasProgram('desktop-file-validate') },
  { name: 'mandoc', isThere: () => hasProgram('mandoc') },
]

function needsOf(purpose) {
  switch (purpose) {
    case 'start':
      return hasElectron() ? [libsecret] : [libsecret, chromium]
    case 'test':
      return [
        chromium,
        libsecret,
        ...servers,
        oathtool,
        ...otherSshServers,
        ...otherShells,
        ...instanceScripts,
        ...fullScreen,
        ...packageCheckers,
      ]
    case 'demo':
      return [chromium, libsecret, ...servers]
    default:
      return []
  }
}

/** Installs what Linux has to bring, as root with apt-get; names the command otherwise. Other systems bring it all. */
export function installSystemPackages({ purpose, say, fail }) {
  if (process.platform !== 'linux') return
  const missing = needsOf(purpose).filter((need) => !need.isThere())
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name)
  const command = `apt-get install -y --no-install-recommends ${names.join(' ')}`
  if (!hasProgram('apt-get')) throw fail(`please install what Debian calls ${names.join(', ')}`)
  if (process.getuid() !== 0) {
    throw fail(`these system packages are missing; please run:\n  sudo apt-get update && sudo ${command}`)
  }
  say(`installing system packages (${command})`)
  // Without lists apt knows no package; with old lists it may ask for versions that are gone.
  const fresh = !hasPackageLists()
  if (fresh) apt(['update'], { fail })
  const install = ['install', '-y', '--no-install-recommends', ...names]
  if (fresh) apt(install, { fail })
  else if (!runApt(install).ok) {
    apt(['update'], { fail })
    apt(install, { fail })
  }
}

function hasPackageLists() {
  const folder = '/var/lib/apt/lists'
  return existsSync(folder) && readdirSync(folder).some((name) => /_Packages(\.|$)/.test(name))
}

function runApt(args) {
  const run = spawnSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  })
  return { ok: run.status === 0, output: `${run.stdout ?? ''}${run.stderr ?? ''}` }
}

function apt(args, { fail }) {
  const { ok, output } = runApt(args)
  if (!ok) throw fail(`apt-get ${args.join(' ')} failed:\n${output}`)
}
