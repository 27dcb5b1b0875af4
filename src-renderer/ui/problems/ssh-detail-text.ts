import type { PlainReason, SshDetail, SshReason } from '#domain/ssh/ssh-detail.ts'
import { formatNumber } from '../format.ts'

const plainReasons: Readonly<Record<PlainReason, string>> = {
  'name-not-found': 'its name couldn’t be found',
  'no-route': 'the network has no route to it',
  'service-silent': 'Slipway couldn’t ask the service for its address',
  'no-address': 'the service gave no address for it',
  'closed-before-ssh': 'it closed the connection before SSH started',
  'no-ssh-greeting': 'it doesn’t begin as an SSH server does',
  'bad-host-key': 'its host key is malformed',
  reset: 'the other side reset it',
  closed: 'the other side closed it',
  'closed-at-login': 'it was closed during the login',
  'closed-after-login': 'Slipway closed it right after the login',
  'jump-host-lost': 'the connection to a jump host ended',
  'files-ended': 'the instance ended the transfer of files',
  'unreadable-message': 'the host sent a message that can’t be read',
  'too-much-data': 'the host sent more data than Slipway allowed',
  'too-much-allowed': 'the host allowed more than 4 GiB to be sent on one channel',
  'odd-channel': 'the host opened a channel without saying how',
  'too-many-messages': 'the host sent too many messages that nothing on this computer asked for',
  'answers-unread': 'the host doesn’t read the answers to its own requests',
}

/** What more is known of a failure, as the end of a sentence; the words of others as they are. */
export function sshDetailText(detail: SshDetail): string {
  return typeof detail === 'string' ? detail : reasonText(detail)
}

function reasonText(reason: SshReason): string {
  switch (reason.code) {
    case 'silent':
      return `the host hasn’t answered for ${reason.seconds} s`
    case 'small-packets':
      return `the host takes at most ${formatNumber(reason.bytes)} bytes in a packet, and at least 4 KiB are needed`
    case 'fault':
      return `an unexpected error, in the log under ID ${reason.logId}`
    case 'too-many-jump-hosts':
      return `there are more than ${reason.most} jump hosts, or they lead in a circle: ${reason.hosts}`
    case 'unreadable-proxy-jump':
      return `Slipway can’t read ProxyJump ${reason.text}`
    default:
      return plainReasons[reason.code]
  }
}
