import { glob, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Log } from '../domain/log.ts'
import { sshAlias } from '../domain/ssh-config.ts'
import type { SshAddress } from '../domain/ssh.ts'
import {
  hostConfigOf,
  jumpHostConfigOf,
  noHostConfig,
  type HostConfig,
  type HostConfigQuestion,
  type JumpHostConfig,
} from './host-config.ts'
import { namesInConfig } from './host-config-names.ts'

export interface HostConfigFileOptions {
  /** `~/.ssh/config` */
  readonly userFile: string
  /** Slipway's own, which the user's may include: it says nothing that Slipway does not know. */
  readonly ownFile: string
  readonly homeFolder: string
  readonly isWanted: () => boolean
  /** The user to log in as when the configuration says nothing. */
  readonly user: () => string
  readonly log: Log
}

/** Longer than any configuration that somebody wrote; a device must not be read without end. */
const longest = 1024 * 1024
const mostIncluded = 200

/** What the user's configuration says, read anew at each login; nothing of it is run. */
export interface HostConfigReader {
  /** Of this computer; who logs in to a jump host for which no user is named. */
  readonly localUser: string
  readonly ofInstance: (instanceId: number, address: SshAddress) => Promise<HostConfig>
  /** @param name as the user wrote it */
  readonly ofJumpHost: (name: string, user: string | null) => Promise<JumpHostConfig>
  /**
   * The machines that it names, whether or not it is gone by: what is to be left out of a text may have come there while
   * it was. None where it cannot be read.
   */
  readonly names: () => Promise<readonly string[]>
}

export function createHostConfigReader(options: HostConfigFileOptions): HostConfigReader {
  const { userFile, ownFile, homeFolder, isWanted, user, log } = options
  const localUser = userInfo().username

  async function read<T extends HostConfig>(
    question: Pick<HostConfigQuestion, 'names' | 'user'>,
    nothing: T,
    configOf: (text: string, question: HostConfigQuestion) => Promise<T>,
  ): Promise<T> {
    if (!isWanted()) return nothing
    try {
      const text = await readBounded(userFile)
      return await configOf(text, { ...question, localUser, homeFolder, include: includer() })
    } catch (error) {
      log.error('The SSH configuration could not be read', error)
      const detail = error instanceof Error ? error.message : String(error)
      return { ...nothing, trouble: `it cannot be read: ${detail}` }
    }
  }

  /** Reads what Include lines name, for one way through the configuration. */
  function includer(): HostConfigQuestion['include'] {
    let included = 0
    return async function include(pattern) {
      const path = placeOf(pattern)
      if (path === null) return []
      const texts: string[] = []
      const files: string[] = []
      for await (const file of glob(path)) files.push(file)
      for (const file of files.toSorted()) {
        if (resolve(file) === resolve(ownFile)) continue
        included += 1
        if (included > mostIncluded) throw new Error('its Include lines name too many files')
        texts.push(await readBounded(file))
      }
      return texts
    }
  }

  function placeOf(pattern: string): string | null {
    if (/[%$]/.test(pattern)) return null
    const path = pattern.replace(/^~(?=[/\\])/, () => homeFolder)
    return isAbsolute(path) ? path : join(dirname(userFile), path)
  }

  return {
    localUser,
    ofInstance: (instanceId, address) =>
      read({ names: [sshAlias(instanceId), address.host], user: user() }, noHostConfig, hostConfigOf),
    ofJumpHost: (name, named) =>
      read(
        { names: [name], user: named ?? localUser },
        { ...noHostConfig, hostName: null, port: null },
        jumpHostConfigOf,
      ),
    names: async () => {
      try {
        return await namesInConfig(await readBounded(userFile), includer())
      } catch (error) {
        log.error('The SSH configuration could not be read to leave its names out of a text', error)
        return []
      }
    },
  }
}

/** Empty when there is no such file. */
async function readBounded(path: string): Promise<string> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) return ''
    if (!found.isFile() || found.size > longest) throw new Error(`${path} is no configuration`)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
