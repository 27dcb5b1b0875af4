import { answerKeytar } from '#services/vault/keychain/keytar-messages.ts'
import { loadKeytar } from '#services/vault/keychain/keytar-backend.ts'

/** Serves the real keytar, with entries under the name that it is given, to the process that forked this one. */
const backend = await loadKeytar(process.argv[2] ?? '')

process.on('message', (message) => {
  void answerKeytar(backend, message).then((reply) => process.send?.(reply))
})
