import { expect, it } from 'vitest'
import { plainShell, type ShellWish } from '#domain/terminals/shell-wish.ts'
import { freeSession, wishOf } from '../../../../src-renderer/features/terminals/session-names.ts'

const having = (...wishes: readonly ShellWish[]) => wishes.map((value) => ({ wish: { value } }))

it('gives each terminal a session of its own', () => {
  expect(freeSession([])).toBe('slipway-1')
  expect(freeSession(having(wishOf('tmux', 'slipway-1'), plainShell, wishOf('screen', 'slipway-2')))).toBe(
    'slipway-3',
  )
  expect(freeSession(having(wishOf('tmux', 'slipway-2'), wishOf('tmux', 'train')))).toBe('slipway-1')
})
