import { type KeychainBackend, KeychainLocked, KeychainOutlived } from './keychain-backend.ts'
import { keytarRequest, type KeytarReply } from './keytar-messages.ts'

/** Does what a message asks of the keychain. */
export async function answerKeytar(backend: KeychainBackend, message: unknown): Promise<KeytarReply> {
  const { id, call, account, value } = keytarRequest.parse(message)
  try {
    const result = await (call === 'set' ? backend.set(account, value ?? '') : backend[call](account))
    return { id, ok: true, result: result ?? null }
  } catch (error) {
    return {
      id,
      ok: false,
      why: whyOf(error),
      message: error instanceof Error ? error.message : String(error),
    }
  }
}

function whyOf(error: unknown): Extract<KeytarReply, { ok: false }>['why'] {
  if (error instanceof KeychainLocked) return 'locked'
  return error instanceof KeychainOutlived ? 'outlived' : 'other'
}
