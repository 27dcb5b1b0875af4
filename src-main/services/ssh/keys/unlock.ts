import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { keyFault, type KeyFault } from '../../../domain/base/key-fault.ts'

/** What a passphrase does to a locked key. */
export type Unlocked =
  | { readonly kind: 'open'; readonly privateKey: string }
  | { readonly kind: 'locked' }
  | { readonly kind: 'unusable'; readonly why: KeyFault }

const unlocked: z.ZodType<Unlocked> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open'), privateKey: z.string() }),
  z.object({ kind: z.literal('locked') }),
  z.object({ kind: z.literal('unusable'), why: keyFault }),
])

/** What `once` gives of the worker's answer. */
const unlockedMessage = z.tuple([unlocked])

/** Built, it lies beside the rest of main under its own name (electron.vite.config.ts). */
const workerFile = new URL(`./unlock-worker${extname(import.meta.url)}`, import.meta.url)

/** Tries a passphrase on the text of a private key, on another thread. `locked` means that it does not fit. */
export async function unlock(text: string, passphrase: string): Promise<Unlocked> {
  const worker = new Worker(workerFile, { workerData: { text, passphrase } })
  try {
    return unlockedMessage.parse(await once(worker, 'message'))[0]
  } finally {
    await worker.terminate()
  }
}
