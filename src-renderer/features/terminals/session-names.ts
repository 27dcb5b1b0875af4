import type { SessionTool, ShellWish } from '#domain/terminals/shell-wish.ts'
import { plainShell } from '#domain/terminals/shell-wish.ts'

/** A session's name that none of these terminals of one instance has: they would show each other's screen. */
export function freeSession(terminals: readonly { readonly wish: { readonly value: ShellWish } }[]): string {
  const taken = new Set(
    terminals.flatMap(({ wish: { value } }) => (value.kind === 'plain' ? [] : [value.session])),
  )
  let number = 1
  while (taken.has(`slipway-${number}`)) number += 1
  return `slipway-${number}`
}

export function wishOf(kind: 'plain' | SessionTool, session: string): ShellWish {
  return kind === 'plain' ? plainShell : { kind, session }
}

/** As it is told to the user: `tmux slipway-1`; `null` for a plain shell. */
export function sessionText(wish: ShellWish): string | null {
  return wish.kind === 'plain' ? null : `${wish.kind} ${wish.session}`
}
