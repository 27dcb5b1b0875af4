import { loadKeytar } from '../../../src-main/vault/keytar-backend.ts'
import { KeychainLocked } from '../../../src-main/vault/keychain-backend.ts'
import { keytarRequest, type KeytarReply } from './keytar-messages.ts'

/** Serves the real keytar to the process that forked this one; see `keytar-process.ts`. */
const backend = await loadKeytar('Slipway')

process.on('message', (message) => {
  const { id, call, account, value } = keytarRequest.parse(message)
  const working = call === 'set' ? backend.set(account, value ?? '') : backend[call](account)
  const send = (reply: KeytarReply): void => void process.send?.(reply)
  working.then(
    (result) => send({ id, ok: true, result: result ?? null }),
    (error: unknown) =>
      send({ id, ok: false, locked: error instanceof KeychainLocked, message: String(error) }),
  )
})
