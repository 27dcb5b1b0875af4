import { z } from 'zod'
import type { FileOwner } from './file-tree.ts'
import { longestHandleBytes, longestPathBytes } from './limits.ts'

/** The server answered with something else than it was asked for. */
export class OddAnswer extends Error {
  constructor(what: string) {
    super(`its file server answered ${what}`)
    this.name = 'OddAnswer'
  }
}

/** Takes an answer of ssh2 for what it should be. @throws OddAnswer */
export type ReadAnswer<T> = (answer: unknown) => T

/** A file or folder that is open. @throws OddAnswer */
export function handleFrom(answer: unknown): Buffer {
  if (Buffer.isBuffer(answer) && answer.length <= longestHandleBytes) return answer
  throw new OddAnswer('without a handle')
}

/** That it is done: there is nothing else to it. @throws OddAnswer */
export function doneFrom(answer: unknown): void {
  if (answer !== undefined) throw new OddAnswer('with something that was not asked for')
}

/** A path, of a length that a system takes. @throws OddAnswer */
export function pathFrom(answer: unknown): string {
  if (typeof answer !== 'string') throw new OddAnswer('without a path')
  if (answer === '' || Buffer.byteLength(answer) > longestPathBytes)
    throw new OddAnswer('with a path that no system has')
  return answer
}

/** How many bytes were read. None is an odd answer: the end of a file is told otherwise. @throws OddAnswer */
export function countFrom(answer: unknown, most: number): number {
  if (typeof answer === 'number' && Number.isSafeInteger(answer) && answer > 0 && answer <= most)
    return answer
  throw new OddAnswer('without what the file holds')
}

/** What a folder is on. */
export interface Disk {
  readonly freeBytes: number
  readonly isReadOnly: boolean
}

/** As ssh2 gives the answer to statvfs@openssh.com (OpenSSH's PROTOCOL, section 4.4). */
const statvfs = z.object({ f_frsize: z.number(), f_bavail: z.number(), f_flag: z.number() })

/** SSH_FXE_STATVFS_ST_RDONLY. */
const readOnlyFlag = 1

/** @throws OddAnswer */
export function diskFrom(answer: unknown): Disk {
  const parsed = statvfs.safeParse(answer)
  if (!parsed.success) throw new OddAnswer('without the state of its disk')
  const { f_frsize, f_bavail, f_flag } = parsed.data
  return { freeBytes: f_frsize * f_bavail, isReadOnly: f_flag % 2 === readOnlyFlag }
}

/** The numbers of uid and gid are of 32 bits (draft-ietf-secsh-filexfer-02 section 5). */
const owner = z.object({ uid: z.number().int().nonnegative(), gid: z.number().int().nonnegative() })

/** `null` where a server leaves it out: an answer to something else is seen where a file's kind is. */
export function ownerFrom(answer: unknown): FileOwner | null {
  const parsed = owner.safeParse(answer)
  return parsed.success ? { user: parsed.data.uid, group: parsed.data.gid } : null
}
