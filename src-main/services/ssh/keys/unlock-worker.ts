import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { readPrivateKey } from './private-key.ts'

// A thread of its own: a passphrase is made slow to try, and main must not stand still meanwhile.
const { text, passphrase } = z.object({ text: z.string(), passphrase: z.string() }).parse(workerData)
parentPort?.postMessage(readPrivateKey(text, passphrase))
