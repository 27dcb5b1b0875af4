// What a host may do on an SSH connection before protocol-guard.ts ends it. Honest hosts stay far below.

/**
 * Of the packets that a host takes on a channel. Servers say 16 KiB and more, and RFC 4253 section 6.1 has every one
 * take 32 KiB. With a few bytes everything typed costs a message per byte, and at 0 ssh2's loops never end.
 */
export const leastPacketBytes = 4 * 1024
/** What every implementation takes; a host that takes more is sent this. */
export const mostPacketBytes = 32 * 1024

/** Of what a host lets a channel send (RFC 4254 section 5.2). OpenSSH, too, ends the connection beyond it. */
export const mostWindowBytes = 2 ** 32 - 1

/** OpenSSH, too, lets the other side exceed a window a little before it ends the connection. */
export const windowOverrunBytes = 32 * 1024

/**
 * Messages that nobody waits for: requests, refused channels, SSH_MSG_IGNORE and the like. sshd sends one at each
 * keepalive and for each piece that is pasted unseen; a web page behind a remote forward with nothing behind it some
 * hundred in a second. Data, and whatever ends or answers something, counts nothing.
 */
export const unaskedMessages = { atOnce: 10_000, perSecond: 1_000 } as const

/** What one such message counts, with 1 more for each KiB. */
export const messageCosts = {
  usual: 1,
  /** Two key agreements and a signature to be verified. sshd with `RekeyLimit 16K` stays below. */
  keyExchange: 10,
  /** May make Slipway or an agent sign. A login takes one or two for each key. */
  login: 50,
} as const

/** A smaller grant than this counts as a message that nobody waits for, if more come than packets were sent. */
export const leastGrantBytes = 1024
/** Small grants for each packet that was sent: Go's servers give back what each of their reads took, 4 bytes and the rest. */
export const smallGrantsPerPacket = 2

/**
 * Answers that wait in memory for a host that asks and doesn't read. A burst of connections through a remote forward is
 * at most 512 of them (forwards/listen.ts); each takes about 600 bytes.
 */
export const mostUnreadAnswers = 4_096

/**
 * Bytes that wait in memory for a host that doesn't read, of all channels together; beyond it whoever writes waits.
 * OpenSSH's windows let 2 MiB of each channel wait.
 */
export const mostLineBytes = 4 * 1024 * 1024
