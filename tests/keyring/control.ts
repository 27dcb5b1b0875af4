import { connect } from 'node:net'

/**
 * Unlocks the login keyring of a running gnome-keyring-daemon, as PAM does at login: over its control socket, one
 * byte for the credentials that the system attaches, then length, operation and password in network order
 * (gnome-keyring, daemon/control/gkd-control-client.c).
 */
export function unlockOverControlSocket(path: string, password: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.setTimeout(30_000, () => socket.destroy(new Error('gnome-keyring-daemon did not answer')))
    socket.once('connect', () => socket.write(unlockRequest(password)))
    socket.once('data', (reply) => {
      socket.end()
      const result = reply.length >= 8 ? reply.readUInt32BE(4) : null
      if (result === 0) resolve()
      else reject(new Error(`gnome-keyring-daemon did not unlock (result ${result ?? 'cut off'})`))
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('gnome-keyring-daemon broke off')))
  })
}

function unlockRequest(password: string): Buffer {
  const text = Buffer.from(password)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(12 + text.length, 1)
  header.writeUInt32BE(1, 5)
  header.writeUInt32BE(text.length, 9)
  return Buffer.concat([header, text])
}
