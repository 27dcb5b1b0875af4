import type { Disk } from './world.ts'

/** A disk, a keychain and a network on which the program is killed at one of its steps. */
export interface Killable {
  readonly disk: Disk
  readonly fetch: typeof globalThis.fetch
  /** Steps that were taken. */
  readonly steps: () => number
  /** From its n-th step on (0 is the next) nothing is done any more, and nothing comes back. */
  readonly killAt: (n: number) => void
  /** Resolves when that has happened. */
  readonly killed: Promise<undefined>
}

const never = (): Promise<never> => new Promise(() => undefined)

/**
 * Every write to the disk or the keychain is a step; a request is two: what it does, and the reply that arrives.
 */
export function killable(disk: Disk): Killable {
  let count = 0
  let last = Number.POSITIVE_INFINITY
  const { promise: killed, resolve } = Promise.withResolvers<undefined>()
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    if (count >= last) {
      resolve(undefined)
      return never()
    }
    count += 1
    return work()
  }
  const { backend, index, pendingSteps } = disk
  return {
    killed,
    steps: () => count,
    killAt: (n) => {
      last = count + n
    },
    disk: {
      backend: Object.assign(Object.create(backend), {
        set: (account: string, value: string) => step(() => backend.set(account, value)),
        delete: (account: string) => step(() => backend.delete(account)),
      }),
      index: { read: index.read, write: (next) => step(() => index.write(next)) },
      pendingSteps: {
        get value() {
          return pendingSteps.value
        },
        isNewer: false,
        update: (change) => step(() => pendingSteps.update(change)),
        write: (next) => step(() => pendingSteps.write(next)),
      },
    },
    fetch: async (input, init) => {
      const response = await step(() => fetch(input, init))
      return step(() => Promise.resolve(response))
    },
  }
}
