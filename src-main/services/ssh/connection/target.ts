import type { SshAddress } from '../../../domain/ssh/ssh.ts'

/** Where an instance answers SSH, or its status as long as it has no address. */
export type Target =
  | { readonly kind: 'address'; readonly address: SshAddress }
  | { readonly kind: 'none'; readonly status: string | null }
