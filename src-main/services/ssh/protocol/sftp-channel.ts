import type { Client, SFTPWrapper } from 'ssh2'
import { at, isHandler } from './inside.ts'
import { takingDataDirectly } from './sftp-data.ts'

/**
 * Opens an SFTP channel, and leaves none behind that did not come about: ssh2 1.17 forgets a channel whose subsystem
 * the server refuses or ends, so that it goes on counting as one of the sessions that the server allows. What the
 * server sends in place of SFTP ends the channel only, and not the connection with all its terminals. An ssh2 with
 * another inside opens it as it does.
 */
export function openSftpChannel(client: Client): Promise<SFTPWrapper> {
  let channel: Channel | null = null
  const open = (): Promise<SFTPWrapper> =>
    new Promise((resolve, reject) => {
      client.sftp((error, sftp) => {
        if (!error) return resolve(sftp)
        channel?.end()
        reject(error)
      })
    })
  return openedWatched(client, open, (made) => {
    channel = made
    guard(made)
  })
}

type Opened = (error: unknown, channel: unknown) => void

interface Channel {
  push: (data: Buffer | null) => void
  readonly end: () => void
  readonly on: (event: 'error', take: (error: unknown) => void) => void
  readonly emit: (event: 'error', error: unknown) => void
}

/** @param open asks for the channel before it returns */
function openedWatched<T>(
  client: Client,
  open: () => Promise<T>,
  onMade: (channel: Channel) => void,
): Promise<T> {
  const channels = at(client, '_chanMgr')
  if (!isChannels(channels)) return open()
  const { add } = channels
  channels.add = (opened, ...more) => {
    if (typeof opened !== 'function') return add.call(channels, opened, ...more)
    const watched: Opened = (error, channel) => {
      if (isChannel(channel)) onMade(channel)
      opened(error, channel)
    }
    // What kind of channel is being opened is written on it.
    return add.call(channels, Object.assign(watched, opened), ...more)
  }
  try {
    return open()
  } finally {
    channels.add = add
  }
}

/**
 * ssh2 throws at some of what is no SFTP, such as a greeting that begins with a letter beyond ASCII, and reads on after
 * what it has found to be wrong.
 */
function guard(channel: Channel): void {
  const { push } = channel
  let isBroken = false
  channel.on('error', () => {
    isBroken = true
  })
  const take = takingDataDirectly(channel, (data) => {
    if (!isBroken) push.call(channel, data)
  })
  channel.push = (data) => {
    if (data === null) return push.call(channel, null)
    if (isBroken) return
    try {
      take(data)
    } catch (error) {
      channel.emit('error', error)
      channel.end()
    }
  }
}

interface Channels {
  add: (opened: Opened | undefined, ...more: readonly unknown[]) => unknown
}

function isChannels(value: unknown): value is Channels {
  return isHandler(at(value, 'add'))
}

function isChannel(value: unknown): value is Channel {
  return ['push', 'end', 'on', 'emit'].every((name) => isHandler(at(value, name)))
}
