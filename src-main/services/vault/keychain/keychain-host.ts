import { answerKeytar } from './keytar-messages.ts'
import { loadKeytar } from './keytar-backend.ts'

/** What runs in the keychain's own process (desktop/keychain-process.ts), which is told whose entries it is for. */
const service = process.argv.at(-1)?.match(/^--service=(.+)$/)?.[1]
if (service === undefined) throw new Error('The name of the entries is missing')
const backend = await loadKeytar(service)

process.parentPort.on('message', ({ data }) => {
  void answerKeytar(backend, data).then((reply) => process.parentPort.postMessage(reply))
})
process.parentPort.postMessage('ready')
