import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { arch, availableParallelism, loadavg, platform, release, totalmem } from 'node:os'
import { promisify } from 'node:util'
import { findChromium } from '../support/find-chromium.ts'
import { launchCommand } from '../../tools/launch.mjs'

/** What figures were measured on, without a word that tells one machine of its kind from another. */
export interface Machine {
  readonly system: string
  readonly arch: string
  readonly cores: number
  readonly memoryGb: number
  readonly node: string
  /** What the app ran on, such as `Electron 45.4.1` or `Chromium 141.0`. */
  readonly host: string
  /** Of the last minute, five and fifteen, when all was measured. */
  readonly loadAverage: readonly number[]
}

export async function describeMachine(): Promise<Machine> {
  return {
    system: await systemName(),
    arch: arch(),
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    node: process.versions.node,
    host: await hostName(),
    loadAverage: loadavg(),
  }
}

async function systemName(): Promise<string> {
  if (platform() !== 'linux') return `${platform()} ${release()}`
  const osRelease = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return /^PRETTY_NAME="(.*)"$/m.exec(osRelease)?.[1] ?? `Linux ${release()}`
}

async function hostName(): Promise<string> {
  const { host, command } = launchCommand()
  const { stdout } = await promisify(execFile)(host === 'electron' ? command : findChromium(), ['--version'])
  const version = /\d+(\.\d+)+/.exec(stdout)?.[0] ?? ''
  return host === 'electron' ? `Electron ${version}` : `Chromium ${version} in place of Electron`
}
