import { glob, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Log } from '../../../domain/base/log.ts'
import { sshAlias } from '../../../domain/ssh/ssh-config.ts'
import type { SshAddress } from '../../../domain/ssh/ssh.ts'
import {
  hostConfigOf,
  jumpHostConfigOf,
  noHostConfig,
  type HostConfig,
  type HostConfigQuestion,
  type JumpHostConfig,
} from './host-config.ts'
import { namesInConfig } from './host-config-names.ts'
import { ifThere } from '../../storage/disk.ts'

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
   * it was. None from what cannot be read.
   */
  readonly names: () => Promise<readonly string[]>
}

/** It never rejects: what cannot be read is in the log, and is the `trouble` of an answer that has one. */
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
      const include = includer((error) => {
        throw error
      })
      return await configOf(text, { ...question, localUser, homeFolder, include })
    } catch (error) {
      log.error('The SSH configuration could not be read', error)
      const detail = error instanceof Error ? error.message : String(error)
      return { ...nothing, trouble: detail }
    }
  }

  /**
   * Reads what Include lines name, for one way through the configuration.
   *
   * @param onTrouble told of what cannot be read, or is too much; where it does not throw, that is left out
   */
  function includer(onTrouble: (error: unknown) => void): HostConfigQuestion['include'] {
    let included = 0
    return async function include(pattern) {
      const path = placeOf(pattern)
      if (path === null || included > mostIncluded) return []
      const texts: string[] = []
      const files: string[] = []
      for await (const file of glob(path)) files.push(file)
      for (const file of files.toSorted()) {
        if (resolve(file) === resolve(ownFile)) continue
        included += 1
        if (included > mostIncluded) {
          onTrouble(new Error('its Include lines name too many files'))
          break
        }
        await readBounded(file).then((text) => void texts.push(text), onTrouble)
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
      let hasTrouble = false
      // Once: one that includes itself would say it again and again.
      const onTrouble = (error: unknown): void => {
        if (!hasTrouble)
          log.error('Not all of the SSH configuration could be read to leave its names out of a text', error)
        hasTrouble = true
      }
      const text = await readBounded(userFile).catch((error: unknown) => {
        onTrouble(error)
        return ''
      })
      return namesInConfig(text, includer(onTrouble), onTrouble)
    },
  }
}

/** Empty when there is no such file. */
async function readBounded(path: string): Promise<string> {
  const found = await ifThere(stat(path))
  if (found === null || found.isDirectory()) return ''
  if (!found.isFile() || found.size > longest) throw new Error(`${path} is no configuration`)
  return (await ifThere(readFile(path, 'utf8'))) ?? ''
}
