/** As OpenSSH's agent, which ends with who sends more (`AGENT_MAX_LEN` of ssh-agent.c). */
export const longestAgentMessage = 256 * 1024

/** Cuts a stream of the agent's protocol into its messages, each with its length before it (draft-miller-ssh-agent). */
export class AgentFrames {
  readonly #length = Buffer.alloc(4)
  #message: Buffer | null = null
  /** Bytes of the length, or of the message, that are there. */
  #have = 0

  /** The messages that end within this piece, without their lengths. @throws Error when one is empty or too long */
  add(piece: Buffer): readonly Buffer[] {
    const ended: Buffer[] = []
    for (let at = 0; at < piece.length;) {
      const into = this.#message ?? this.#length
      const count = piece.copy(into, this.#have, at)
      at += count
      this.#have += count
      if (this.#have < into.length) break
      this.#have = 0
      if (this.#message === null) {
        const length = this.#length.readUInt32BE()
        if (length === 0 || length > longestAgentMessage)
          throw new Error(`an agent’s message of ${length} bytes`)
        // Once for all its pieces: they may come a byte at a time.
        this.#message = Buffer.alloc(length)
      } else {
        this.#message = null
        ended.push(into)
      }
    }
    return ended
  }
}

/** A message with its length before it. */
export function framed(message: Buffer): Buffer {
  return Buffer.concat([uint32(message.length), message])
}

/** As RFC 4251 section 5 writes a string. */
export function sshString(bytes: Buffer): Buffer {
  return Buffer.concat([uint32(bytes.length), bytes])
}

/** As RFC 4251 section 5 writes it. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
