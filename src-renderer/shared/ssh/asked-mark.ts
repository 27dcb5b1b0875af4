import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import type { Mark } from '#ui/tone.ts'

/** What a connection waits for its user to say, in a few words with their tone; `null` when it waits for nothing. */
export function askedMark(state: ConnectionState): Mark | null {
  switch (state.kind) {
    case 'unknown-host':
      return {
        tone: 'warning',
        label: state.hop ? 'Jump host key needs your answer' : 'Host key needs your answer',
      }
    case 'passphrase':
      return { tone: 'warning', label: 'Passphrase needed' }
    case 'login':
      return {
        tone: 'warning',
        label: state.hop ? 'Jump host login needs your answer' : 'Login needs your answer',
      }
    default:
      return null
  }
}
