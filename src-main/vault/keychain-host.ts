import { answerKeytar } from './answer-keytar.ts'
import { loadKeytar } from './keytar-backend.ts'

/** What runs in the keychain's own process (desktop/keychain-process.ts). */
const backend = await loadKeytar('Slipway')

process.parentPort.on('message', ({ data }) => {
  void answerKeytar(backend, data).then((reply) => process.parentPort.postMessage(reply))
})
process.parentPort.postMessage('ready')
