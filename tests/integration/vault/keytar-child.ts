import { answerKeytar } from '../../../src-main/vault/answer-keytar.ts'
import { loadKeytar } from '../../../src-main/vault/keytar-backend.ts'

/** Serves the real keytar to the process that forked this one; see `keytar-process.ts`. */
const backend = await loadKeytar('Slipway')

process.on('message', (message) => {
  void answerKeytar(backend, message).then((reply) => process.send?.(reply))
})
